-- Answers the job itself.
-- fails: submit returned a view
return {
  api = 1,
  name = "hostile",
  submit = function(w, c) --> here
    if w.gpus ~= 4 then return nil end
    return w
  end,
}
