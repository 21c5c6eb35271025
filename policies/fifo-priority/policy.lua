-- Higher priority first, then first come, first served.
return {
  api = 1,
  name = "fifo-priority",
  description = "Higher priority first, then first come, first served.",

  queue_order = function(w)
    return w.priority, -w.queued_at
  end,
}
