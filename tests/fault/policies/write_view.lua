-- Raises its own priority.
-- fails: cannot write to w
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local x = w
    x.priority = 1e9 --> here
    return 1
  end,
}
