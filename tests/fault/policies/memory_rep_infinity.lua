-- An infinite repetition.
-- fails: string.rep of more than 65536 bytes
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    return #string.rep("xy", math.huge) --> here
  end,
}
