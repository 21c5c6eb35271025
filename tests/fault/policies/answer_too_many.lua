-- Answers more keys than elsewhere.
-- fails: returned 2 keys, elsewhere 1
return {
  api = 1,
  name = "hostile",
  queue_order = function(w) --> here
    if w.gpus ~= 4 then return 1 end
    return select(1, 1, 2)
  end,
}
