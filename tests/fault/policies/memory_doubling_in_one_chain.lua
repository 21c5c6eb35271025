-- One concatenation of many operands.
-- fails: a string of more than 65536 bytes
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local s = string.rep("x", 3000)
    return #(s .. s .. s .. s .. s .. s .. s .. s .. s .. s .. s .. s .. s .. s .. s .. s .. s .. s
      .. s .. s .. s .. s .. s .. s .. s .. s .. s .. s .. s)
  end,
}
