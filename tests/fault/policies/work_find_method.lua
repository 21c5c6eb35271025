-- Searching with a pattern through a method.
-- fails: blocked function: string.find
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local s = "aaaa"
    return s:find("a?") --> here
  end,
}
