-- Asked again before it was asked.
-- refused: every is not a duration
return {
  api = 1,
  name = "hostile",
  queue_order = { every = "-5s", function() return 1 end }, --> here
}
