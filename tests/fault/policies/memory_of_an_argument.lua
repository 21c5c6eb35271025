-- Remembers in a table that a helper is given, where no trial comes.
-- fails: this table belongs to the file
local seen = {}
local function note(list)
  list[#list + 1] = true --> here
  return #list
end
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    return note(seen)
  end,
}
