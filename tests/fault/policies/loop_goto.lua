-- Jumps back without any loop statement.
-- fails: out of fuel
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    ::again::
    goto again --> here
  end,
}
