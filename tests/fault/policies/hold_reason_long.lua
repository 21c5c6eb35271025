-- A reason of 2 KB.
-- answers
return {
  api = 1,
  name = "hostile",
  hold = function(w, c)
    if w.gpus ~= 4 then return nil end
    return c.hold(string.rep("x", 2000))
  end,
}
