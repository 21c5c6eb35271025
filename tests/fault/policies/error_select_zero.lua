-- Selects from nowhere.
-- fails: select of nothing
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    return (select(0, 1)) --> here
  end,
}
