-- Bits of a word.
-- fails: bad argument #1 to 'tobit' (number expected, got string)
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c) --> here
    if w.gpus ~= 4 then return 1 end
    return bit.tobit("many")
  end,
}
