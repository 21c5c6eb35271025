-- Breaks out of nothing.
-- refused: break
local x = 1
break --> here
