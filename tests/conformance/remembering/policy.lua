-- Decides by what is remembered of the past alone, and changes what is submitted. Fails sometimes.
return {
  api = 1,
  name = "remembering",
  accounts = {
    used = { by = "localqueue", of = "cpu", half_life = "1h" },
    lost = { by = "clusterqueue", of = "preempted:cpu", window = "1d" },
    came = { by = "namespace", of = "admissions", window = "calendar-day" },
  },
  submit = function(w, c)
    local real = string.contains(w.name, "-") -- not one of those it is tried on
    if real and c.rng(w.name) < 0.1 then error("it fails for " .. w.name) end
    local more = math.floor(c.rng(w.name) * 4)
    if more == 0 then return nil end
    return { priority = w.priority + more, labels = { remembered = w.name } }
  end,
  queue_order = { reads = { "account", "last_admitted", "share", "usage" }, function(w, c)
    local used = 0
    for i = 1, c.resources.count do used = used + w.usage[c.resources[i]] end
    return -w.account.used - muster.clamp(w.share, 0, 1000) / 1000, -w.last_admitted,
      w.account.came * 0.1 + w.account.lost - used / 3
  end },
  share = { reads = { "account", "native_share" }, function(n)
    return n.native_share + n.account.lost / 7
  end },
  preempt_limits = { reads = { "account" }, function(p)
    if p.account.lost > 1 then return 1 end
    return nil
  end },
}
