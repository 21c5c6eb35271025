-- Answers twice.
-- fails: hold returned more than one value
return {
  api = 1,
  name = "hostile",
  hold = function(w, c) --> here
    if w.gpus ~= 4 then return nil end
    return c.hold("a"), c.hold("b")
  end,
}
