-- Appends to a list of the file.
-- refused: belongs to the file
local seen = {}

return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    table.insert(seen, 1) --> here
    return 1
  end,
}
