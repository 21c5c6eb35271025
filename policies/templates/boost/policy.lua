-- my-policy: what is added to the priority of the jobs that wait and run. Say here what it is for.
return {
  api = 1,
  name = "my-policy",
  description = "After `patience` a job gains `step` of priority an hour, in preemption too.",

  -- What an operator may set without touching this file; read as c.params.patience.
  params = {
    patience = {
      type = "duration", default = "1d", min = "1m", max = "365d",
      doc = "a job that has waited this long begins to gain priority",
    },
    step = {
      type = "integer", default = 10, min = 1, max = 1000000,
      doc = "priority gained in each hour after that",
    },
  },

  -- A whole number that is added to the priority of the job w; nothing is 0. What changes by
  -- itself, here the time, is declared in reads, and how often it is looked at in every.
  boost = { reads = { "now" }, every = "10m", function(w, c)
    local late = w.waited - c.params.patience
    if late <= 0 then return 0 end  -- equivalent: less than an hour is none
    return math.floor(late / 3600) * c.params.step
  end },
}
