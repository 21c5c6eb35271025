-- Rejects and does not say so.
-- fails: submit called c.reject and did not return its answer; write return c.reject(message)
return {
  api = 1,
  name = "hostile",
  submit = function(w, c)
    if w.gpus ~= 4 then return nil end
    c.reject("no")
    return nil
  end,
}
