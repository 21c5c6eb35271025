-- A reason of which nothing can be shown.
-- answers
return {
  api = 1,
  name = "hostile",
  hold = function(w, c)
    if w.gpus ~= 4 then return nil end
    return c.hold("\1\2\3")
  end,
}
