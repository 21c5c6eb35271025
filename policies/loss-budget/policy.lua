-- No team loses more than so many GPU-hours a day to preemption.
return {
  api = 1,
  name = "loss-budget",
  description = "Preemption takes at most `gpu_hours` a day from any team.",

  params = {
    gpu_hours = {
      type = "number", default = 20, min = 0,
      doc = "GPU-hours that a team may lose to preemption within a day",
    },
  },
  accounts = { lost = { by = "label:team", of = "lost:nvidia.com/gpu", window = "1d" } },

  -- The part of what its team has left that would be lost with the run.
  victim = { reads = { "now", "account" }, every = "1m", function(v, _, c)
    local left = c.params.gpu_hours - v.account.lost
    if left <= 0 then return math.huge end
    return v.ran * v.gpus / 3600 / left
  end },

  -- Parts add up: what is at most 1 in all takes from no team more than it has.
  preempt_limits = function() return nil, 1 end,
}
