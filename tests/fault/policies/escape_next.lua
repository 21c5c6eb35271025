-- Walks a table in the order of its addresses.
-- refused: blocked function: next
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    return next({ a = 1 }) and 1 or 2 --> here
  end,
}
