-- my-policy: which queue's first job decides first. Say here what it is for.
return {
  api = 1,
  name = "my-policy",
  description = "Jobs within their queue's own quota first, then the smaller one.",

  -- One to three numbers for the job w, which is the first of its queue; the queue whose job has
  -- the larger ones decides first in this cycle and takes what is free.
  cycle_order = function(w)
    return -w.borrowing_level, w.priority, -w.gpus
  end,
}
