-- my-policy: what a preemption evicts. Say here what it is for.
return {
  api = 1,
  name = "my-policy",
  description = "Evicts the run that loses the least GPU time; spares runs that have just begun.",

  -- What an operator may set without touching this file; read as c.params.grace.
  params = {
    grace = {
      type = "duration", default = "10m", min = "0s", max = "1d",
      doc = "runs younger than this are not evicted",
    },
  },

  -- What evicting the running job v for the preemptor p would cost: the cheapest goes first,
  -- math.huge protects. Only those are asked about that the queue's preemption rules allow.
  victim = { reads = { "now" }, every = "1m", function(v, _, c)
    if v.ran < c.params.grace then return math.huge end
    return v.ran * math.max(1, v.gpus)
  end },
}
