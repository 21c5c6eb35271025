-- Looks into the answer of c.hold.
-- fails: the answer of c.hold has no field
return {
  api = 1,
  name = "hostile",
  hold = function(w, c)
    if w.gpus ~= 4 then return nil end
    local held = c.hold("later")
    return held.reason --> here
  end,
}
