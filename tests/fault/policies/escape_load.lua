-- Code from a function.
-- refused: blocked function: load
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    return load(function() end) and 1 or 2 --> here
  end,
}
