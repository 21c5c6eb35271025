-- Inserts through an alias of the library and of the table.
-- fails: this table belongs to the file
local seen = {}
local insert = table.insert
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local s = seen
    insert(s, 1) --> here
    return #s
  end,
}
