-- Has second thoughts.
-- fails: submit called c.reject and did not return its answer
return {
  api = 1,
  name = "hostile",
  submit = function(w, c)
    if w.gpus ~= 4 then return nil end
    return nil, c.reject("no")
  end,
}
