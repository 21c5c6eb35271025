-- Renames the queue.
-- fails: cannot write to c.queue
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    c.queue.name = "x" --> here
    return 1
  end,
}
