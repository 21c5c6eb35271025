-- The address of a function.
-- fails: would show an address
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    return #tostring(pcall) --> here
  end,
}
