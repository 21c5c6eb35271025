-- my-policy: which of the racks and hosts open to a job it takes first. Say here what it is for.
return {
  api = 1,
  name = "my-policy",
  description = "Small jobs go to domains named like `small` first; all others as without it.",

  -- What an operator may set without touching this file; read as c.params.small.
  params = {
    small = {
      type = "string", default = "small-*",
      doc = "racks or hosts for small jobs; * is any text, ? one letter",
    },
    most = {
      type = "number", default = 1, min = 0,
      doc = "a job with at most this many GPUs is small",
    },
  },

  -- One number for the domain d and the job w: the larger one is taken first, of equal ones the
  -- one that the engine would take. Only domains that the job may go to are asked about.
  domain_order = function(d, w, c)
    local fits = w.gpus <= c.params.most and muster.glob(d.name, c.params.small)
    return fits and 1 or 0  -- equivalent: only which is larger counts
  end,
}
