-- The second key is not a number.
-- fails: queue_order returned nan as key 2; 0/0 is no number
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    return 1, w.gpus == 4 and 0 / 0 or 1
  end,
}
