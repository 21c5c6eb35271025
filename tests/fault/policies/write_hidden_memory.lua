-- Remembers through an alias that reading does not see.
-- refused: this table belongs to the file
local memory = { n = 0 }
local function bump(t)
  t.n = t.n + 1
  return t.n
end
return { api = 1, name = "hostile", queue_order = function()
  return bump(memory)
end }
