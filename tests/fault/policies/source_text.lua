-- Not Lua at all.
-- refused: syntax error
Dear engine, please put my jobs first.
