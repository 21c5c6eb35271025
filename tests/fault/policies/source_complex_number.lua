-- A complex number is an object.
-- refused: write it without its suffix
return { api = 1, name = "hostile", queue_order = function(w)
  return w.priority + 2i --> here
end }
