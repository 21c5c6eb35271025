-- A map of maps.
-- refused: a map cannot be of
return {
  api = 1,
  name = "hostile",
  params = { tickets = { type = "map", of = "map", default = {} } },
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    return 1
  end,
}
