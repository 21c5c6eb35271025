-- Waiting earns priority: no job of low priority waits for ever behind a stream of high priority.
return {
  api = 1,
  name = "aging",
  description = "A job's priority grows by one for every `step` it waits, up to `most` in all.",

  params = {
    step = {
      type = "duration", default = "10m", min = "1s", max = "30d",
      doc = "waiting time that counts as one point of priority",
    },
    most = {
      type = "number", default = 1000, min = 0,
      doc = "points that waiting can earn at most",
    },
  },

  queue_order = { reads = { "now" }, every = "1m", function(w, c)
    local earned = math.min(c.params.most, w.waited / c.params.step)
    return w.priority + earned, -w.queued_at
  end },
}
