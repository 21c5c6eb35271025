-- A type that is no word.
-- refused: no type
return {
  api = 1,
  name = "hostile",
  params = {
    x = { type = {}, default = 0 }, --> here
  },
  queue_order = function(_, c) return c.params.x end,
}
