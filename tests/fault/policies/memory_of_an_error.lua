-- Remembers in a table that was thrown and caught.
-- fails: this table belongs to the file
local seen = {}
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local _, thrown = pcall(error, seen)
    thrown.n = 1 --> here
    return 1
  end,
}
