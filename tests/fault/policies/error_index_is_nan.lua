-- Writes under a key that no table takes.
-- fails: table index is NaN
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local t = {}
    t[0 / 0] = 1 --> here
    return 1
  end,
}
