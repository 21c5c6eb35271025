-- An escape there is none of.
-- refused: invalid escape sequence
local s = "\q" --> here
return {}
