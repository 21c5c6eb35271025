-- Fills the memory before it returns its table.
-- refused: more than the memory limit
local t = {}
for i = 1, 1e6 do --> here
  t[i] = { i, i, i, i, i, i, i, i, i, i, i, i, i, i, i, i }
end
return { api = 1, name = "hostile", queue_order = function() return #t end }
