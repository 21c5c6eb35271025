-- Inputs that must be called for.
-- refused: reads is not a list; write reads
return {
  api = 1,
  name = "hostile",
  queue_order = { reads = function() end, function() return 1 end }, --> here
}
