-- A job of a team that made others lose work lately preempts nothing.
return {
  api = 1,
  name = "one-preemption-a-team",
  accounts = { lost = { by = "label:team", of = "preempted:cpu", half_life = "7d" } },
  preempt_limits = { reads = { "account" }, function(p)
    if p.account.lost > 0 then return 0 end
    return nil
  end },
}
