-- Adds everything.
-- fails: boost returned inf
return {
  api = 1,
  name = "hostile",
  boost = function(w, c) --> here
    if w.gpus ~= 4 then return nil end
    return math.huge
  end,
}
