-- Repeats the empty string for ever.
-- fails: more than 65536
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    return #string.rep("", math.huge) --> here
  end,
}
