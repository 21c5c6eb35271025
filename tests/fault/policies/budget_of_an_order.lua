-- A budget of an order.
-- refused: there are budgets in victim alone
return {
  api = 1,
  name = "hostile",
  queue_order = { per = "user", function(w, c)
    if w.gpus ~= 4 then return 1 end
    return 1
  end },
}
