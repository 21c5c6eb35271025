-- Calculates with text.
-- fails: arithmetic
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    return "abc" + 1 --> here
  end,
}
