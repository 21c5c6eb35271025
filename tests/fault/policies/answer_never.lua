-- Has no return at all.
-- refused: returns nothing
return { api = 1, name = "hostile", queue_order = function(w) --> here
  local x = w.priority
  x = x + 1
end }
