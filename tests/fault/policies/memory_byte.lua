-- Asks for all bytes of a long string at once.
-- fails: more than 200 values
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local s = string.rep("x", 9000)
    return select("#", string.byte(s, 1, -1)) --> here
  end,
}
