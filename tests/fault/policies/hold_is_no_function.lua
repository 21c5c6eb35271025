-- A table without a function.
-- refused: hold
return {
  api = 1,
  name = "hostile",
  hold = { reads = { "now" } }, --> here
}
