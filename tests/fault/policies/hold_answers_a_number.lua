-- Holds until a time, without c.hold.
-- fails: hold returned a number
return {
  api = 1,
  name = "hostile",
  hold = function(w, c) --> here
    if w.gpus ~= 4 then return nil end
    return 1e9
  end,
}
