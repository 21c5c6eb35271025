-- Answers how to reject.
-- fails: submit returned a function
return {
  api = 1,
  name = "hostile",
  submit = function(w, c) --> here
    if w.gpus ~= 4 then return nil end
    return c.reject
  end,
}
