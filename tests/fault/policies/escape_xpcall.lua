-- A handler that runs where the error is.
-- refused: blocked function: xpcall
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    return xpcall(w, w) and 1 or 2 --> here
  end,
}
