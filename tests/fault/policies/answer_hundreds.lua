-- Answers two hundred keys.
-- fails: returned 101 keys
return {
  api = 1,
  name = "hostile",
  queue_order = function(w) --> here
    if w.gpus ~= 4 then return 1 end
    return 1, unpack({ 1 }, 1, 100)
  end,
}
