-- What the engine does without a policy: order of entries, classically.
return {
  api = 1,
  name = "native-order",
  cycle_order = function(w)
    return -w.borrowing_level, w.priority, -w.queued_at
  end,
}
