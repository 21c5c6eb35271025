-- Changes what the engine gives.
-- refused: cannot be changed
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    muster.pow = nil --> here
    return 1
  end,
}
