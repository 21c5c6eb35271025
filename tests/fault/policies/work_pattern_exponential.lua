-- The pattern that takes for ever.
-- fails: blocked function: string.match; patterns are not available
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local s = string.rep("a", 30)
    local match = ("").match --> here
    return #match(s, string.rep("a?", 30) .. s)
  end,
}
