-- A field a hundred thousand wide.
-- fails: invalid
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    return #string.format("%99999d", 1) --> here
  end,
}
