-- Hashes the job.
-- fails: bad argument 1 to muster.hash
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c) --> here
    if w.gpus ~= 4 then return 1 end
    return muster.hash(w)
  end,
}
