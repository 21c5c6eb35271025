-- Overflows to infinity.
-- fails: inf as key 1
return {
  api = 1,
  name = "hostile",
  queue_order = function(w) --> here
    if w.gpus ~= 4 then return 1 end
    return 1e308 * 10
  end,
}
