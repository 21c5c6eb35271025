-- A lottery: every namespace draws once a cycle, and more tickets win more often.
return {
  api = 1,
  name = "random-fair",
  description = "Within a priority a seeded lottery between namespaces, weighted by their tickets.",
  labels = { "tickets" },

  params = {
    tickets = {
      type = "number", default = 1, min = 0.001, max = 1000,
      doc = "tickets of jobs without the label tickets",
    },
  },

  -- The largest u^(1/t) wins with a chance of t over all t; all see the same draw, and
  -- replaying the cycle gives it again.
  queue_order = function(w, c)
    local tickets = tonumber(w.label.tickets) or c.params.tickets
    local drawn = c.rng("lottery/" .. w.namespace)
    return w.priority, muster.pow(drawn, 1 / muster.clamp(tickets, 0.001, 1000)), -w.queued_at
  end,
}
