-- Copies of a long string.
-- fails: out of fuel
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local s = string.rep("x", 6000)
    for i = 1, 100 do
      s = s:sub(1, -1) --> here
    end
    return #s
  end,
}
