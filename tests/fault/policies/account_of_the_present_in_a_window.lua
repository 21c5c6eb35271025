-- What there is now, over a day.
-- refused: remove the half_life and the window
return {
  api = 1,
  name = "hostile",
  accounts = { had = { by = "user", of = "running", window = "1d" } },
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    return 1
  end,
}
