-- A truth with a smallest value.
-- refused: a boolean has no min
return {
  api = 1,
  name = "hostile",
  params = { on = { type = "boolean", default = true, min = false } }, --> here
  queue_order = function(_, c) return c.params.on and 1 or 2 end,
}
