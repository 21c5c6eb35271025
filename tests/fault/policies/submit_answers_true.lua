-- Answers yes.
-- fails: submit returned a boolean
return {
  api = 1,
  name = "hostile",
  submit = function(w, c) --> here
    if w.gpus ~= 4 then return nil end
    return true
  end,
}
