-- A preemption may not cost too much: not too many jobs, and not too many GPU-hours of their work.
return {
  api = 1,
  name = "preemption-budget",
  description = "A job evicts at most `victims` others, and `gpu_hours` of work with them.",

  params = {
    victims = {
      type = "integer", default = 4, min = 0, max = 100000,
      doc = "jobs that one preemptor may evict at a time (maxPreemptedWorkloads)",
    },
    gpu_hours = {
      type = "number", default = 64, min = 0,
      doc = "GPU-hours of work that one preemptor may destroy at a time",
    },
  },

  -- GPU-hours that end with the run; the cheapest goes first.
  victim = { reads = { "now" }, every = "1m", function(v)
    return v.lost_work * v.gpus / 3600
  end },

  preempt_limits = function(_, c)
    return c.params.victims, c.params.gpu_hours
  end,
}
