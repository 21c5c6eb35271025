-- Walks over keys that have no order.
-- fails: has no fixed order
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    for k in pairs({ [{}] = 1 }) do --> here
    end
    return 1
  end,
}
