-- More labels than a view has room for.
-- refused: at most 8
return {
  api = 1,
  name = "hostile",
  labels = { "a", "b", "c", "d", "e", "f", "g", "h", "i" }, --> here
  queue_order = function() return 1 end,
}
