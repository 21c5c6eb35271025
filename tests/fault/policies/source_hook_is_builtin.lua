-- A function of the library as a hook.
-- refused: not a function of this package
return {
  api = 1,
  name = "hostile",
  queue_order = math.max, --> here
}
