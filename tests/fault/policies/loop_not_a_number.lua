-- Waits for a NaN to reach zero.
-- fails: out of fuel
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local x = 0 / 0
    while x ~= 0 do --> here
      x = x / 2
    end
    return 1
  end,
}
