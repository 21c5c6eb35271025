-- Bytecode of itself.
-- refused: blocked function: string.dump
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    return #string.dump(function() end) --> here
  end,
}
