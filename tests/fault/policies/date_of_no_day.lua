-- A day that no month has.
-- refused: default is not of type date
return {
  api = 1,
  name = "hostile",
  params = { ends = { type = "date", default = "2026-02-30" } },
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    return 1
  end,
}
