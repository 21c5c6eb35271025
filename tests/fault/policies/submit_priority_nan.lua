-- Of unknown importance.
-- fails: not a whole number
return {
  api = 1,
  name = "hostile",
  submit = function(w, c) --> here
    if w.gpus ~= 4 then return nil end
    return { priority = 0 / 0 }
  end,
}
