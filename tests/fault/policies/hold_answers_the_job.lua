-- Answers the job.
-- fails: hold returned a table
return {
  api = 1,
  name = "hostile",
  hold = function(w, c) --> here
    if w.gpus ~= 4 then return nil end
    return w
  end,
}
