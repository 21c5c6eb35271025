-- Makes the answer of c.hold by hand.
-- fails: hold returned a table
return {
  api = 1,
  name = "hostile",
  hold = function(w, c) --> here
    if w.gpus ~= 4 then return nil end
    return { reason = 1, till = 0 }
  end,
}
