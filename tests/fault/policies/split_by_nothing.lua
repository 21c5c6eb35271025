-- Splits by nothing.
-- fails: muster.split needs a separator
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    return #muster.split(w.name, "") --> here
  end,
}
