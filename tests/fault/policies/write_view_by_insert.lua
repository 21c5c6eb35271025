-- Appends to a view.
-- fails: table.insert into a view
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local x = w.request
    table.insert(x, 1) --> here
    return 1
  end,
}
