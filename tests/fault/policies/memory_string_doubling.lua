-- Doubles a string until there is no more memory.
-- fails: out of fuel
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local s = "x"
    while true do
      s = s .. s --> here
    end
    return 1
  end,
}
