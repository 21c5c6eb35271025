-- Raises the job.
-- fails: the error raised is a table
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    error(w) --> here
  end,
}
