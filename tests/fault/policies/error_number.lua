-- Raises a number.
-- fails: 42
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    error(42) --> here
  end,
}
