-- Answers fewer keys than elsewhere.
-- fails: returned 1 key, elsewhere 2
return {
  api = 1,
  name = "hostile",
  queue_order = function(w) --> here
    if w.gpus ~= 4 then return 1, 2 end
    return select(1, 1)
  end,
}
