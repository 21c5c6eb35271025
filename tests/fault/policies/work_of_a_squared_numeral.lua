-- Has a text squared.
-- fails: out of fuel
local num = "1." .. ("123456789"):rep(7000) .. "e-308"
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local x = 0
    for i = 1, 10 do x = x + muster.sq(num) end --> here
    return x
  end,
}
