-- More zones than there may be.
-- refused: at most 8 can be declared
return {
  api = 1,
  name = "hostile",
  zones = { "UTC", "Europe/Zurich", "Europe/Paris", "Europe/Rome", "Europe/Oslo", "Asia/Tokyo",
    "Asia/Dubai", "Asia/Seoul", "Asia/Tehran" },
  queue_order = { reads = { "now" }, function(w, c)
    if w.gpus ~= 4 then return 1 end
    return 1
  end },
}
