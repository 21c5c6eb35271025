-- A string that never ends.
-- refused: unfinished string
return { api = 1, name = 'hostile --> here
