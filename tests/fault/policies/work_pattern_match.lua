-- Patterns can take exponential time.
-- refused: patterns are not available
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    return string.match("aaaa", ".-b") and 1 or 2 --> here
  end,
}
