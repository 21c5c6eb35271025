-- Catches the error of its loop at load.
-- refused: out of fuel
pcall(function()
  for i = 1, 1e15 do --> here
  end
end)
return { api = 1, name = "hostile", queue_order = function() return 1 end }
