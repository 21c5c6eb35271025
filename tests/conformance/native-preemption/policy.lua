-- What the engine does without a policy: none costs more than another, there are no limits, and
-- flavors are tried as declared, and nothing is held back.
return {
  api = 1,
  name = "native-preemption",
  victim = function()
    return 0
  end,
  preempt_limits = function() end,
  hold = { reads = { "account", "usage" }, function() end },
  flavor_order = function(_, f)
    return -f.index
  end,
}
