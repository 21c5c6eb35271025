-- Refuels inside the hook.
-- refused: a name may only have
return { api = 1, name = "hostile", queue_order = function()
  €.left = 1e9 --> here
  while true do end
end }
