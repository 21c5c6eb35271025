-- Joins a long string with itself.
-- fails: more than 65536 bytes
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local s, t = string.rep("x", 3000), {}
    for i = 1, 30 do t[i] = s end
    return #table.concat(t) --> here
  end,
}
