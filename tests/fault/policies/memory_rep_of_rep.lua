-- Multiplies repetitions.
-- fails: more than 65536 bytes
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local s = string.rep("x", 10000)
    return #string.rep(s, 10000) --> here
  end,
}
