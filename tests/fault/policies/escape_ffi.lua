-- Asks for raw memory.
-- refused: blocked function: require
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    return require("ffi") and 1 or 2 --> here
  end,
}
