-- Walks through long texts by comparing them.
-- fails: out of fuel
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local s = string.rep("x", 5000)
    local n = 0
    for i = 1, 100 do
      if s < s and s <= s then n = n + 1 end --> here
    end
    return n
  end,
}
