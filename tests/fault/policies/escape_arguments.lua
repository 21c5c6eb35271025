-- The arguments of the program.
-- refused: undefined name 'arg'
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    return arg[1] and 1 or 2 --> here
  end,
}
