-- Sorts an empty view.
-- answers
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    table.sort(w)
    return w.priority
  end,
}
