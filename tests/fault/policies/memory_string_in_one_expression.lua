-- One expression, a million times the length.
-- fails: a string of more than 65536 bytes
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local s = string.rep("x", 9000)
    s = s .. s .. s .. s .. s .. s .. s .. s --> here
    s = s .. s .. s .. s .. s .. s .. s .. s
    s = s .. s .. s .. s .. s .. s .. s .. s
    s = s .. s .. s .. s .. s .. s .. s .. s
    return #s
  end,
}
