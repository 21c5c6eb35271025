-- Writes to a label.
-- fails: a policy cannot write to w.label
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local tier = "ti" .. "er"
    w.label[tier] = "gold" --> here
    return 1
  end,
}
