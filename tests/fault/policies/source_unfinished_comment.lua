-- A comment that never ends.
-- refused: unfinished comment
local x = 1
--[[ return { api = 1 }
