-- Loops before the call it is an argument of.
-- fails: out of fuel
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    return math.abs((function()
      while true do --> here
      end
    end)())
  end,
}
