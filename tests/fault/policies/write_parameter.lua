-- Writes to a parameter of the package.
-- fails: a policy cannot write to c.params
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    c.params.limit = 5 --> here
    return 1
  end,
}
