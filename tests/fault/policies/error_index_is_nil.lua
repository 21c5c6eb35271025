-- Writes under no key.
-- fails: table index is nil
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local t = {}
    t[w.label and nil] = 1 --> here
    return 1
  end,
}
