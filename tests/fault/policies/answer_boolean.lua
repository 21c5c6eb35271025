-- Answers true.
-- fails: true as key 1
return {
  api = 1,
  name = "hostile",
  queue_order = function(w) --> here
    if w.gpus ~= 4 then return 1 end
    return true
  end,
}
