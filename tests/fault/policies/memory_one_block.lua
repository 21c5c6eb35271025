-- A table with room for more than a hundred thousand values.
-- refused: one value of the policy is larger than 1 MB
local t = {}
for i = 1, 49000 do --> here
  t['k' .. i] = i
end
return { api = 1, name = "hostile", queue_order = function() return #t end }
