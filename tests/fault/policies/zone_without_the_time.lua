-- Looks at a clock without saying so.
-- refused: changes by itself and is not declared
return {
  api = 1,
  name = "hostile",
  zones = { "Europe/Zurich" },
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    return c.local_time("Europe/Zurich").hour --> here
  end,
}
