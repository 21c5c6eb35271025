-- Writes into the host's functions.
-- refused: blocked function: debug.setupvalue
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    debug.setupvalue(pcall, 1, nil) --> here
    return 1
  end,
}
