-- Says how long in sixty thousand digits.
-- refused: not of type duration
return {
  api = 1,
  name = "hostile",
  params = { t = { type = "duration", default = ("1"):rep(60000) } }, --> here
  queue_order = function(w, c) return c.params.t end,
}
