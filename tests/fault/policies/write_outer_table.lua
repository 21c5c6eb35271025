-- Remembers in a table of the file.
-- refused: belongs to the file
local seen = {}

return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    seen[w.name] = true --> here
    return 1
  end,
}
