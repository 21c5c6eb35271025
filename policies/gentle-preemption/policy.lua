-- Evicts what loses least, spares what has much to lose, and no team more than a part an hour.

return {
  api = 1,
  name = "gentle-preemption",
  description = "Least GPU time lost first; old checkpoints spared; a budget per team and hour.",
  labels = { "team" },

  params = {
    stale = {
      type = "duration", default = "20m", min = "0s", max = "30d",
      doc = "runs whose last checkpoint is older are spared",
    },
    young = {
      type = "duration", default = "10m", min = "0s", max = "1d",
      doc = "but not those that began less than this ago",
    },
    part = {
      type = "number", default = 0.05, min = 0, max = 1,
      doc = "of a team's running GPUs, how much may be evicted in an hour",
    },
  },

  accounts = {
    running = { by = "label:team", of = "held:nvidia.com/gpu" },
    evicted = { by = "label:team", of = "evicted:nvidia.com/gpu", window = "1h" },
  },

  victim = { per = "label:team", reads = { "now", "account" }, every = "1m", function(v, _, c)
    local left = c.params.part * v.account.running - v.account.evicted
    local cost = v.lost_work * math.max(1, v.gpus)
    if v.ran >= c.params.young and v.lost_work > c.params.stale then cost = math.huge end
    return cost, v.gpus, left
  end },
}
