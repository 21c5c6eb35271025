-- The time, without saying so.
-- refused: add reads = {"now"} to queue_order
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    return c.now --> here
  end,
}
