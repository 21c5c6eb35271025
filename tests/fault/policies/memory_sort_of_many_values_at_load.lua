-- The values are in the source.
-- refused: table.sort of more than 4096 values; keep fewer of them
local t = { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
  1, 1, 1, 1 }
local function doubled(x)
  local size = #x
  for i = 1, size do x[size + i] = x[i] end
  return x
end
for _ = 1, 8 do doubled(t) end
table.sort(t) --> here
return { api = 1, name = "hostile", queue_order = function() return 1 end }
