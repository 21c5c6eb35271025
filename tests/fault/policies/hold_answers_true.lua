-- Holds with a word that it was not given.
-- fails: hold returned a boolean
return {
  api = 1,
  name = "hostile",
  hold = function(w, c) --> here
    if w.gpus ~= 4 then return nil end
    return true
  end,
}
