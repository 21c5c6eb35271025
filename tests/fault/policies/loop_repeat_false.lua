-- Repeats until false.
-- fails: out of fuel
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    repeat --> here
      local x = 1
    until x == 2
    return 1
  end,
}
