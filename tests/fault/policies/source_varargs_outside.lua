-- Passes on arguments it does not have.
-- refused: outside a vararg function
return { api = 1, name = "hostile", queue_order = function()
  return ... --> here
end }
