-- Makes a module.
-- refused: blocked function: module
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    module("x") --> here
    return 1
  end,
}
