-- The name of the fuel counter.
-- refused: a name may only have
local € = { left = 1e9 } --> here
return { api = 1, name = "hostile", queue_order = function() return 1 end }
