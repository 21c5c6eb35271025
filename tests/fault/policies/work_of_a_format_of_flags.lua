-- Looks for %p in a format that has nothing but flags.
-- fails: out of fuel
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local s = string.rep("%-", 5000)
    return #string.format(s)
  end,
}
