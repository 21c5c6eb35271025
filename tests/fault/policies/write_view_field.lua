-- Raises it without an alias.
-- fails: cannot write to w: 'priority'
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    w.priority = 1e9 --> here
    return 1
  end,
}
