-- Changes a library.
-- refused: cannot be changed
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    math.huge = 0 --> here
    return 1
  end,
}
