-- Lowers a priority on the way.
-- fails: a policy cannot write to w
return {
  api = 1,
  name = "hostile",
  hold = function(w, c)
    if w.gpus ~= 4 then return nil end
    w.priority = -1 --> here
    return nil
  end,
}
