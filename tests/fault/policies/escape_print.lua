-- Writes to the terminal.
-- refused: blocked function: print
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    print("x") --> here
    return 1
  end,
}
