-- Adds what is no number.
-- fails: boost returned nan
return {
  api = 1,
  name = "hostile",
  boost = function(w, c) --> here
    if w.gpus ~= 4 then return nil end
    return 0 / 0
  end,
}
