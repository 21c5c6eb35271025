-- A number with two points.
-- refused: malformed number
local n = 3..2 --> here
return {}
