-- A finalizer.
-- refused: blocked function: setmetatable
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    setmetatable({}, { __gc = function() end }) --> here
    return 1
  end,
}
