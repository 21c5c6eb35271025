-- Stops the collector.
-- refused: blocked function: collectgarbage
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    collectgarbage("stop") --> here
    return 1
  end,
}
