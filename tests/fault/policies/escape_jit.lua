-- Turns the compiler off.
-- refused: blocked function: jit.off
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    jit.off() --> here
    return 1
  end,
}
