-- Has second thoughts.
-- answers
return {
  api = 1,
  name = "hostile",
  submit = function(w, c)
    if w.gpus ~= 4 then return nil end
    return nil, c.reject("no")
  end,
}
