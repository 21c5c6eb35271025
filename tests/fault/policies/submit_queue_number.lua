-- A queue that is a number.
-- fails: not a name
return {
  api = 1,
  name = "hostile",
  submit = function(w, c) --> here
    if w.gpus ~= 4 then return nil end
    return { queue = 1 }
  end,
}
