-- Formats the longest numbers.
-- fails: out of fuel
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local n = 0
    for i = 1, 300 do n = n + #string.format("%.99f", 1e308) end --> here
    return n
  end,
}
