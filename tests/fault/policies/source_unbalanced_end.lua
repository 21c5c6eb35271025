-- Closes what the host opened.
-- refused: syntax error
return { api = 1, name = "hostile", queue_order = function() return 1 end }
end, function() --> here
  while true do end
