-- A lottery between teams, drawn once a day: more tickets win more often.

return {
  api = 1,
  name = "daily-lottery",
  description = "Within a priority a lottery between teams by tickets, the same for a whole day.",
  labels = { "team" },

  params = {
    tickets = {
      type = "map", of = "number", default = {}, min = 0.001, max = 1000,
      doc = "tickets by team; those that are not listed have one",
    },
    seed = { type = "string", default = "lottery", doc = "another one draws otherwise" },
  },

  -- The largest u^(1/t) wins with a chance of t over all t. c.rng would draw otherwise in each
  -- version of this package; a hash of seed, team and day is the same for ever.
  queue_order = { reads = { "now" }, every = "1d", function(w, c)
    local tickets = c.params.tickets[w.label.team] or 1
    local day = math.floor(c.now / 86400)  -- equivalent: c.now is a midnight, and another draw
    local hash = muster.hash(c.params.seed .. "/" .. w.label.team .. "/" .. day)
    local drawn = hash / 9007199254740992  -- equivalent: nearly the same, below 1
    local won = muster.pow(drawn, 1 / tickets)  -- equivalent: any power orders alike
    return w.priority, won, -w.queued_at
  end },
}
