-- Runs a command.
-- refused: blocked function: os.execute
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    return os.execute("true") --> here
  end,
}
