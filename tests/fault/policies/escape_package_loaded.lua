-- Looks for loaded libraries.
-- refused: blocked function: package.loaded
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    return package.loaded.os and 1 or 2 --> here
  end,
}
