-- Catches its stack overflow at load, over and over.
-- refused: out of fuel
local function f(n) --> here
  local ok = pcall(f, n + 1)
  return (ok and 1 or 2) + f(n + 1)
end
pcall(f, 1)
while true do
  pcall(f, 1)
end
