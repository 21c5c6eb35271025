-- Raises before it returns its table.
-- refused: no luck
error("no luck") --> here
