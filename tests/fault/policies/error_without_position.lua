-- Raises an error without its place.
-- fails: no luck
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    error("no luck", 0) --> here
  end,
}
