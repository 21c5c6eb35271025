-- Adds two numbers.
-- fails: boost returned 2 keys
return {
  api = 1,
  name = "hostile",
  boost = function(w, c) --> here
    if w.gpus ~= 4 then return nil end
    return 1, 2
  end,
}
