-- The address of a string.
-- fails: would show an address
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    return #string.format("%-20p", "x") --> here
  end,
}
