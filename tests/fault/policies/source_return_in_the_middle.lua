-- Code behind the end.
-- refused: syntax error
return {}
local x = 1
