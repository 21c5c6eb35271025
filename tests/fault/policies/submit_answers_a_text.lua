-- Answers a text.
-- fails: submit returned a string
return {
  api = 1,
  name = "hostile",
  submit = function(w, c) --> here
    if w.gpus ~= 4 then return nil end
    return "no"
  end,
}
