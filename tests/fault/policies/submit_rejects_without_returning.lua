-- Rejects and does not say so.
-- answers
return {
  api = 1,
  name = "hostile",
  submit = function(w, c)
    if w.gpus ~= 4 then return nil end
    c.reject("no")
    return nil
  end,
}
