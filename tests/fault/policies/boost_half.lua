-- Adds a half.
-- fails: boost returned 0.5
return {
  api = 1,
  name = "hostile",
  boost = function(w, c) --> here
    if w.gpus ~= 4 then return nil end
    return 0.5
  end,
}
