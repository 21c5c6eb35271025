-- Reads the longest number there can be.
-- fails: out of fuel
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local far = "1." .. string.rep("2", 800) .. "e-308"
    local x = 0
    for i = 1, 10 do x = x + tonumber(far) end --> here
    return x
  end,
}
