-- A number without digits.
-- refused: malformed number
local n = 0x --> here
return {}
