-- Another environment for itself.
-- refused: blocked function: setfenv
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    setfenv(1, {}) --> here
    return 1
  end,
}
