-- my-policy: the order of the jobs that wait in one queue. Say here what it is for.
return {
  api = 1,
  name = "my-policy",
  description = "Within a priority the smaller job first; after `patience` a job goes before all.",

  -- What an operator may set without touching this file; read as c.params.patience.
  params = {
    patience = {
      type = "duration", default = "1d", min = "1m", max = "365d",
      doc = "a job that has waited this long goes before all of its priority",
    },
  },

  -- One to three numbers for the job w; the job with the larger ones goes first, a tie by age.
  -- What changes by itself, here the time, is declared in reads.
  queue_order = { reads = { "now" }, function(w, c)
    if w.waited >= c.params.patience then return w.priority, w.waited end
    return w.priority, -w.gpus
  end },
}
