-- Has a library read them.
-- fails: out of fuel
local far = "1e308"
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local x = 0
    for i = 1, 30 do x = math.max(x, far, far) end --> here
    return x
  end,
}
