-- Changes the answer of c.hold.
-- fails: a policy cannot write to the answer of c.hold
return {
  api = 1,
  name = "hostile",
  hold = function(w, c)
    if w.gpus ~= 4 then return nil end
    local held = c.hold("later")
    held.reason = "other" --> here
    return held
  end,
}
