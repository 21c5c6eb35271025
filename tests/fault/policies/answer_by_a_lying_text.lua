-- A number that is a text.
-- fails: queue_order returned a string as key 1; return a number
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    return "1"
  end,
}
