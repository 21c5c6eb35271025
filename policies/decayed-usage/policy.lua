-- The team that used little lately goes first: usage of each team, halved with every half-life.
return {
  api = 1,
  name = "decayed-usage",
  description = "Within a priority, the team that used least lately goes first.",

  params = {
    step = {
      type = "number", default = 1, min = 0,
      doc = "GPU-hours that make no difference; 0 compares exactly",
    },
  },
  accounts = { used = { by = "label:team", of = "nvidia.com/gpu", half_life = "7d" } },

  queue_order = { reads = { "account" }, function(w, c)
    local used = w.account.used
    if c.params.step > 0 then used = math.floor(used / c.params.step) end
    return w.priority, -used, -w.queued_at
  end },
}
