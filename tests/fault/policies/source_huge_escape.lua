-- A character beyond Unicode.
-- refused: escape sequence
local s = "\u{110000}" --> here
return {}
