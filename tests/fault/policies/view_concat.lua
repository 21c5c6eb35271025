-- Makes text of a view.
-- fails: concatenate
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    return #(w .. "") --> here
  end,
}
