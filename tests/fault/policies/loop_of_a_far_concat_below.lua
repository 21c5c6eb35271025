-- Joins what is as far below.
-- fails: is no place in a list
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    return #table.concat({}, "", -1e308, -1e308) --> here
  end,
}
