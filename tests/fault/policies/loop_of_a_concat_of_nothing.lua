-- Joins up to what is no number.
-- fails: is no place in a list
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    return #table.concat({ "a" }, "", 1, 0 / 0) --> here
  end,
}
