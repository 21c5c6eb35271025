-- Time.
-- refused: time comes only from c.now
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    return os.clock() --> here
  end,
}
