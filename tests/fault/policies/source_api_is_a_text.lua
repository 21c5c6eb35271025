-- The number of the API as a text.
-- refused: api '1' is not known; write api = 1
return {
  api = "1", --> here
  name = "hostile",
  queue_order = function() return 1 end,
}
