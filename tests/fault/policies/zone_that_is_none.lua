-- A zone that is on no map.
-- refused: no time zone
return {
  api = 1,
  name = "hostile",
  zones = { "Europe/Gotham" },
  queue_order = { reads = { "now" }, function(w, c)
    if w.gpus ~= 4 then return 1 end
    return c.local_time("Europe/Gotham").hour
  end },
}
