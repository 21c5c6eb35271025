-- Holds until a time that no clock shows.
-- answers
return {
  api = 1,
  name = "hostile",
  hold = function(w, c)
    if w.gpus ~= 4 then return nil end
    return c.hold("later", 1e308)
  end,
}
