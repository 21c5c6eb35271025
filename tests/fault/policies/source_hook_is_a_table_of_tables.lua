-- A hook inside a hook.
-- refused: queue_order is not a function
return {
  api = 1,
  name = "hostile",
  queue_order = { { function() return 1 end } }, --> here
}
