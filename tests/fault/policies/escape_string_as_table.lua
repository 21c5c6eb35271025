-- Writes into a string.
-- fails: index
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local s = "x"
    s.y = 1 --> here
    return 1
  end,
}
