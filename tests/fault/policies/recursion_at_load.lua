-- Overflows the stack before it returns its table.
-- refused: stack overflow
local function f(n)
  return 1 + f(n + 1)
end
return { api = 1, name = f(1), queue_order = function() return 1 end }
