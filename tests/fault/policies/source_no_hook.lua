-- A package for nothing.
-- refused: the package defines no hook; add queue_order
return { api = 1, name = "hostile" }
