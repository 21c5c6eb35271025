-- A random stream without a name.
-- fails: c.rng needs the name of a stream
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local x = c.rng({}) --> here
    return x
  end,
}
