-- Walks over a view.
-- refused: a view cannot be counted or walked through
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    for k in pairs(w) do --> here
    end
    return 1
  end,
}
