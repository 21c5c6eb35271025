-- Asks about a name without end.
-- fails: out of fuel
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local s = string.rep("a", 20000)
    while true do
      muster.has(s) --> here
    end
  end,
}
