-- An API from the future.
-- refused: write api = 1
return {
  api = 99, --> here
  name = "hostile",
  queue_order = function() return 1 end,
}
