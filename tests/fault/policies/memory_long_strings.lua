-- A long new string in every round.
-- fails: out of fuel
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local s = string.rep("x", 2000)
    local t = {}
    for i = 1, 1e9 do
      t[i] = s .. i --> here
    end
    return 1
  end,
}
