-- Preemption may not cost too much: not too many jobs at a time, and not too many GPU-hours of
-- their work a day, counted for the team that causes it.
return {
  api = 1,
  name = "preemption-budget",
  description = "A job evicts at most `victims` others; its team destroys `gpu_hours` a day.",

  params = {
    victims = {
      type = "integer", default = 4, min = 0, max = 100000,
      doc = "jobs that one preemptor may evict at a time (maxPreemptedWorkloads)",
    },
    gpu_hours = {
      type = "number", default = 64, min = 0,
      doc = "GPU-hours of others that the jobs of one team may destroy within a day",
    },
  },
  accounts = {
    caused = { by = "label:team", of = "preempted:nvidia.com/gpu", window = "1d" },
  },

  -- GPU-hours that end with the run, as the account counts them; the cheapest goes first.
  victim = { reads = { "now" }, every = "1m", function(v)
    return v.ran * v.gpus / 3600
  end },

  preempt_limits = { reads = { "account" }, every = "1m", function(p, c)
    return c.params.victims, math.max(0, c.params.gpu_hours - p.account.caused)
  end },
}
