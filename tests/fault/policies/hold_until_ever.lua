-- Holds until the end of all time.
-- answers
return {
  api = 1,
  name = "hostile",
  hold = function(w, c)
    if w.gpus ~= 4 then return nil end
    return c.hold("later", math.huge)
  end,
}
