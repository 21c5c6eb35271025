-- Blames a negative level.
-- fails: no luck
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    error("no luck", -1) --> here
  end,
}
