-- Sorts with a number.
-- fails: bad argument 2 to table.sort
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    table.sort({ 1, 2 }, 3) --> here
    return 1
  end,
}
