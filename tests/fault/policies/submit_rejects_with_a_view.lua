-- Rejects with the job.
-- fails: c.reject needs a message
return {
  api = 1,
  name = "hostile",
  submit = function(w, c) --> here
    if w.gpus ~= 4 then return nil end
    return c.reject(w)
  end,
}
