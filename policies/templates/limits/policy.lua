-- my-policy: how much one job may evict. Say here what it is for.
return {
  api = 1,
  name = "my-policy",
  description = "A job evicts at most `most` others, more only for each GPU it asks for.",

  -- What an operator may set without touching this file; read as c.params.most.
  params = {
    most = {
      type = "integer", default = 4, min = 0, max = 100000,
      doc = "evictions that a job may cause at a time",
    },
  },

  -- The most victims of the preemptor p, and the most that they may cost together (as the hook
  -- victim says); nil is no limit. Beyond a limit p evicts nothing and waits.
  preempt_limits = function(p, c)
    return math.max(c.params.most, p.gpus)
  end,
}
