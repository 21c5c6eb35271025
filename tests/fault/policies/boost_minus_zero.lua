-- Adds nothing, from below.
-- answers
return {
  api = 1,
  name = "hostile",
  boost = function(w, c)
    if w.gpus ~= 4 then return nil end
    return -0
  end,
}
