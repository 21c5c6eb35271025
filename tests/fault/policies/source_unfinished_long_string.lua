-- A long string that never ends.
-- refused: unfinished long string
local s = [==[ --> here
]] ]=]
