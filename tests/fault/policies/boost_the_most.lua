-- Adds as much as there may be.
-- answers
return {
  api = 1,
  name = "hostile",
  boost = function(w, c)
    if w.gpus ~= 4 then return nil end
    return 1e9
  end,
}
