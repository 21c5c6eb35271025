-- The operator that depends on the compiler.
-- refused: muster.pow
return { api = 1, name = "hostile", queue_order = function(w)
  return w.priority ^ 2 --> here
end }
