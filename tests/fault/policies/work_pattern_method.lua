-- Patterns through a method of a string.
-- fails: patterns are not available
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local s = "aaaa"
    return #s:gsub("a?", "") --> here
  end,
}
