-- A number of sixty thousand digits.
-- fails: out of fuel
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    return tonumber(string.rep("9", 60000)) --> here
  end,
}
