-- Puts another function in place of c.hold.
-- fails: a policy cannot write to c
return {
  api = 1,
  name = "hostile",
  hold = function(w, c)
    if w.gpus ~= 4 then return nil end
    c.hold = function() return nil end --> here
    return c.hold("later")
  end,
}
