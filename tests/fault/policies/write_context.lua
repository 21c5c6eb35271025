-- Changes the parameters.
-- fails: cannot write to c.params
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    c.params.x = 1 --> here
    return 1
  end,
}
