-- Pretends to be elsewhere.
-- fails: policy.lua:
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    error("policy.lua:999: elsewhere", 0) --> here
  end,
}
