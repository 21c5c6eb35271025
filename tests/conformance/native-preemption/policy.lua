-- What the engine does without a policy: none costs more than another, there are no limits, flavors
-- are tried as declared and domains wanted alike, nothing is held back or added to a priority.
return {
  api = 1,
  name = "native-preemption",
  victim = function()
    return 0
  end,
  preempt_limits = function() end,
  hold = { reads = { "account", "usage" }, function() end },
  boost = { reads = { "now", "usage" }, function() return 0 end },
  domain_order = { reads = { "free" }, function() return 0 end },
  flavor_order = function(_, f)
    return -f.index
  end,
}
