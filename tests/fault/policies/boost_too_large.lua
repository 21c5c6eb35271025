-- Adds more than a priority holds.
-- fails: boost returned 3000000000
return {
  api = 1,
  name = "hostile",
  boost = function(w, c) --> here
    if w.gpus ~= 4 then return nil end
    return 3e9
  end,
}
