-- Jumps over a local.
-- refused: jumps into the scope
goto done --> here
local x = 1
::done::
return { api = 1, name = "hostile", queue_order = function() return x end }
