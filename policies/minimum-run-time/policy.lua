-- No job is evicted before it has run for a while; after that the engine's own order decides.
return {
  api = 1,
  name = "minimum-run-time",
  description = "No job is evicted before it has run for `minimum`, longer for each GPU it holds.",

  params = {
    minimum = {
      type = "duration", default = "30m", min = "0s", max = "30d",
      doc = "a job is not evicted before it has run for this long",
    },
    per_gpu = {
      type = "duration", default = "0s", min = "0s", max = "1d",
      doc = "that much longer for every GPU it holds",
    },
  },

  victim = { reads = { "now" }, every = "1m", function(v, _, c)
    local safe = c.params.minimum + v.gpus * c.params.per_gpu
    return v.ran < safe and math.huge or 0
  end },
}
