-- What the engine does without a policy: nobody costs more than another, and there are no limits.
return {
  api = 1,
  name = "native-preemption",
  victim = function()
    return 0
  end,
  preempt_limits = function() end,
}
