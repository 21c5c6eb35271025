-- Raises the job in place.
-- fails: cannot write to w: 'priority'
return {
  api = 1,
  name = "hostile",
  submit = function(w, c)
    if w.gpus ~= 4 then return nil end
    w.priority = 1e9 --> here
    return nil
  end,
}
