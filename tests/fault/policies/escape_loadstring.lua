-- Code that was not rewritten.
-- refused: blocked function: loadstring
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    return loadstring("while true do end")() --> here
  end,
}
