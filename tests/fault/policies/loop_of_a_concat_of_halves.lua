-- Joins from one half to another.
-- fails: is no place in a list
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    return #table.concat({ "a", "b" }, "", 0.5, 1.5) --> here
  end,
}
