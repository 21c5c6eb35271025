-- Answers a number.
-- fails: submit returned a number
return {
  api = 1,
  name = "hostile",
  submit = function(w, c) --> here
    if w.gpus ~= 4 then return nil end
    return 1
  end,
}
