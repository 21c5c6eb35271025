-- A format without its value.
-- fails: bad argument #2 to
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    return #string.format("%d") --> here
  end,
}
