-- Code that runs inside the collector.
-- refused: blocked function: newproxy
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    newproxy(true) --> here
    return 1
  end,
}
