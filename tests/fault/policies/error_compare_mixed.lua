-- Compares a number with text.
-- fails: compare
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    return w.pods < "x" and 1 or 2 --> here
  end,
}
