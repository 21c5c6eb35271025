-- Counts in a local of the file.
-- refused: belongs to an outer function
local count = 0

return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    count = count + 1 --> here
    return count
  end,
}
