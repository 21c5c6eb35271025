-- Looks at every pair of bytes of a long string.
-- fails: out of fuel
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local s = string.rep("ab", 2000)
    local n = 0
    for i = 1, #s do
      for j = 1, #s do --> here
        n = n + 1
      end
    end
    return n
  end,
}
