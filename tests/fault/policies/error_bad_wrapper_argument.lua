-- A wrong argument for a wrapper.
-- fails: bad argument 1 to string.rep
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    return #string.rep(w, 2) --> here
  end,
}
