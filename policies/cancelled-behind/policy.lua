-- Users that cancel most of their jobs go behind for the day; very large jobs say they are meant.

return {
  api = 1,
  name = "cancelled-behind",
  description = "Users who cancel over half of their jobs go behind; large jobs need a label.",
  labels = { "large-job" },

  params = {
    part = {
      type = "number", default = 0.5, min = 0, max = 1,
      doc = "cancelled jobs of those submitted today, above which a user goes behind",
    },
    gpus = {
      type = "integer", default = 64, min = 0, max = 1000000,
      doc = "jobs of more GPUs need the label large-job",
    },
  },

  accounts = {
    submitted = { by = "user", of = "submitted", window = "calendar-day" },
    cancelled = { by = "user", of = "cancelled", window = "calendar-day" },
  },

  submit = function(w, c)
    if w.gpus <= c.params.gpus or w.label["large-job"] ~= "" then return nil end
    return c.reject("a job of over " .. c.params.gpus .. " GPUs needs the label large-job")
  end,

  queue_order = { reads = { "account" }, function(w, c)
    local behind = w.account.cancelled > c.params.part * w.account.submitted
    local rank = behind and 0 or 1  -- equivalent: anything above 0
    return rank, w.priority, -w.queued_at
  end },
}
