-- Writes to the list of resources.
-- fails: a policy cannot write to c.resources
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    c.resources[1] = "x" --> here
    return 1
  end,
}
