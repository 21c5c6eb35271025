-- Gives the reason alone.
-- fails: hold returned a string
return {
  api = 1,
  name = "hostile",
  hold = function(w, c) --> here
    if w.gpus ~= 4 then return nil end
    return "later"
  end,
}
