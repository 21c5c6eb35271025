-- Within an hour preemption takes at most a third of the cores that a team runs on.
return {
  api = 1,
  name = "third-an-hour",
  accounts = {
    running = { by = "label:team", of = "held:cpu" },
    evicted = { by = "label:team", of = "evicted:cpu", window = "1h" },
  },
  victim = { per = "label:team", reads = { "account" }, function(v)
    return v.priority, v.uses.cpu, v.account.running / 3 - v.account.evicted
  end },
}
