-- Catches what catches what catches.
-- fails: out of fuel
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local n = 0
    for i = 1, 60 do
      pcall(pcall, pcall, pcall, pcall, pcall, pcall, pcall, pcall, pcall, type, 1) --> here
      n = n + 1
    end
    return n
  end,
}
