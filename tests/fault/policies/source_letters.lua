-- Letters of another alphabet in a name.
-- refused: a name may only have
local größe = 1 --> here
return { api = 1, name = "hostile", queue_order = function() return größe end }
