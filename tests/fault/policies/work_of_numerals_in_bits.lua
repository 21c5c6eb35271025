-- Has the bits of texts counted.
-- fails: out of fuel
local far = "1e308"
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local x = 0
    for i = 1, 60 do x = bit.bxor(x, far) end --> here
    return x
  end,
}
