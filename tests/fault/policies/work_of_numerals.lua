-- Reads texts as numbers by computing with them.
-- fails: out of fuel
local far = "1e308"
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local x = 0
    for i = 1, 30 do
      x = x + far - far --> here
    end
    return x
  end,
}
