-- A parameter without a value.
-- refused: not of type number
return {
  api = 1,
  name = "hostile",
  params = {
    x = { type = "number", default = 0 / 0 }, --> here
  },
  queue_order = function(_, c) return c.params.x end,
}
