-- Moves the job to another namespace.
-- fails: submit cannot change 'namespace'
return {
  api = 1,
  name = "hostile",
  submit = function(w, c) --> here
    if w.gpus ~= 4 then return nil end
    return { namespace = "kube-system" }
  end,
}
