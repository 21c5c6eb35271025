-- The same long string many times.
-- fails: out of fuel
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local s = string.rep("x", 9000)
    for i = 1, 100 do
      s = string.format("%s%s", s, "") --> here
    end
    return #s
  end,
}
