-- As important as can be.
-- fails: not a whole number
return {
  api = 1,
  name = "hostile",
  submit = function(w, c) --> here
    if w.gpus ~= 4 then return nil end
    return { priority = 1 / 0 }
  end,
}
