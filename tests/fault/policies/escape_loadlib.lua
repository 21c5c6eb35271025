-- Loads a shared library.
-- refused: blocked function: package.loadlib
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    return package.loadlib("libc.so.6", "system") and 1 or 2 --> here
  end,
}
