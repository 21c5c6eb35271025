-- Labels the job in place.
-- fails: cannot write to w.label: 'team'
return {
  api = 1,
  name = "hostile",
  labels = { "team" },
  submit = function(w, c)
    if w.gpus ~= 4 then return nil end
    w.label.team = "a" --> here
    return nil
  end,
}
