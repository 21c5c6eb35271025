-- A job that was preempted is not preempted again and again.
return {
  api = 1,
  name = "anti-flapping",
  description = "Evicts what was evicted least often; spares those evicted `most` times already.",

  params = {
    most = {
      type = "integer", default = 2, min = 1, max = 1000,
      doc = "a job that was preempted this often is not preempted any more",
    },
    grace = {
      type = "duration", default = "1h", min = "0s", max = "30d",
      doc = "a job that was preempted before is spared for this long after its next start",
    },
  },

  victim = { reads = { "now" }, every = "1m", function(v, _, c)
    local again = v.preemptions > 0 and v.ran < c.params.grace
    if again or v.preemptions >= c.params.most then return math.huge end
    return v.preemptions
  end },
}
