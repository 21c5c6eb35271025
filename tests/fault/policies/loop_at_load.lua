-- Never returns its table.
-- refused: out of fuel
while true do --> here
end
return { api = 1, name = "hostile", queue_order = function() return 1 end }
