-- A resource beyond the list.
-- fails: no resource 99; read 1 to c.resources.count
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    return #c.resources[99] --> here
  end,
}
