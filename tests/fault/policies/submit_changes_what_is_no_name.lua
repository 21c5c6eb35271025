-- An answer under a view.
-- fails: submit cannot change of type table
return {
  api = 1,
  name = "hostile",
  submit = function(w, c) --> here
    if w.gpus ~= 4 then return nil end
    return { [w] = 1 }
  end,
}
