-- Gives itself tickets.
-- fails: cannot be changed
return {
  api = 1,
  name = "hostile",
  params = { tickets = { type = "map", of = "number", default = { a = 1 } } },
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    c.params.tickets[w.namespace] = 100 --> here
    return 1
  end,
}
