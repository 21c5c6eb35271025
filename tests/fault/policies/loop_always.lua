-- Fails on every job, so it is refused before it decides anything.
-- refused: out of fuel
return { api = 1, name = "hostile", queue_order = function()
  while true do --> here
  end
  return 1
end }
