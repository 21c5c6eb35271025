-- LocalQueues take turns: the one that has waited longest for an admission is next.
return {
  api = 1,
  name = "round-robin",
  description = "Within a priority, LocalQueues of one ClusterQueue take turns.",

  queue_order = { reads = { "last_admitted" }, function(w)
    return w.priority, -w.last_admitted, -w.queued_at
  end },
}
