-- Holds from an order.
-- fails: c.hold is for hold
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, context) --> here
    if w.gpus ~= 4 then return 1 end
    return context.hold("later")
  end,
}
