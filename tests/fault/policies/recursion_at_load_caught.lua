-- Catches its stack overflow at load, over and over.
-- refused: stack overflow
local function f(n)
  local ok = pcall(f, n + 1) --> here
  return (ok and 1 or 2) + f(n + 1)
end
pcall(f, 1)
while true do
  pcall(f, 1)
end
