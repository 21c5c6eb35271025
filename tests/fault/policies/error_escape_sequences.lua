-- An error that would paint a terminal.
-- fails: policy.lua:8:
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    error("\27]0;owned\7\194\155\49m\226\128") --> here
  end,
}
