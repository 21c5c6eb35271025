-- Removes from a view.
-- fails: table.remove from a view; use a table of your own
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    table.remove(w) --> here
    return 1
  end,
}
