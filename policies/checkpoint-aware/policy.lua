-- Evicts the run that loses the least work, and none that has only just begun.

-- Seconds of work that end with the run: since its last checkpoint, if one was reported; else, if
-- it makes one every so often from its start on as its label says, since that; else all of them.
local function lost(v)
  local interval = tonumber(v.label["checkpoint-interval"])
  if v.checkpointed == 0 and interval and interval >= 1 then return v.ran % interval end
  return v.lost_work
end

return {
  api = 1,
  name = "checkpoint-aware",
  description = "Evicts the run that loses the least work; spares those that have just begun.",
  labels = { "checkpoint-interval" },

  params = {
    grace = {
      type = "duration", default = "5m", min = "0s", max = "1h",
      doc = "runs younger than this are not evicted",
    },
    most = {
      type = "integer", default = 1000, min = 1, max = 100000,
      doc = "evictions that one job may cause at a time",
    },
  },

  victim = { reads = { "now" }, every = "30s", function(v, _, c)
    if v.ran < c.params.grace then return math.huge end
    return lost(v) * math.max(1, v.gpus)
  end },

  preempt_limits = function(_, c)
    return c.params.most
  end,
}
