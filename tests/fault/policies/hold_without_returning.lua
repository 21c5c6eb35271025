-- Holds and does not say so.
-- fails: called c.hold and did not return its answer
return {
  api = 1,
  name = "hostile",
  hold = function(w, c) --> here
    if w.gpus ~= 4 then return nil end
    c.hold("later")
    return nil
  end,
}
