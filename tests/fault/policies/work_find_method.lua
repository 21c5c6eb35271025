-- Searching with a pattern through a method: a search is for a text, so it finds nothing.
-- fails: queue_order returned nothing
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c) --> here
    if w.gpus ~= 4 then return 1 end
    local s = "aaaa"
    return s:find("a?")
  end,
}
