-- A number as a field.
-- fails: no field 1
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    return w[w.pods] --> here
  end,
}
