-- Asks for a gigabyte at once.
-- fails: more than 65536 bytes
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    return #string.rep("x", 1e9) --> here
  end,
}
