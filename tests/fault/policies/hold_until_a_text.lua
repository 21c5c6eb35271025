-- Holds until a text.
-- fails: c.hold takes a time
return {
  api = 1,
  name = "hostile",
  hold = function(w, c) --> here
    if w.gpus ~= 4 then return nil end
    return c.hold("later", "tomorrow")
  end,
}
