-- The name is not a text.
-- refused: name is not a string
return {
  api = 1,
  name = { "x" }, --> here
  queue_order = function() return 1 end,
}
