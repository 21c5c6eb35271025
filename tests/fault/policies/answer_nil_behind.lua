-- Answers nil behind its keys.
-- fails: returned nil after its keys
return {
  api = 1,
  name = "hostile",
  queue_order = function(w) --> here
    if w.gpus ~= 4 then return 1 end
    return select(1, 1, nil)
  end,
}
