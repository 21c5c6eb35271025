-- Keeps a job in a local of the file.
-- refused: belongs to an outer function
local last

return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    last = w --> here
    return 1
  end,
}
