-- Remembers in a table of a function that made the hook.
-- refused: this table belongs to the file
local function make()
  local t = { 0 }
  return function()
    t[1] = t[1] + 1
    return t[1]
  end
end
return { api = 1, name = "hostile", queue_order = make() }
