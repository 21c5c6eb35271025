-- Patterns through a library function.
-- refused: patterns are not available
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    return #string.gsub("aaaa", "a?", "") --> here
  end,
}
