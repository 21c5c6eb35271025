-- my-policy: which flavor a job tries first. Say here what it is for.
return {
  api = 1,
  name = "my-policy",
  description = "Small jobs try flavors named `small` first; all others as declared.",

  -- What an operator may set without touching this file; read as c.params.small.
  params = {
    small = {
      type = "string", default = "*-small",
      doc = "flavors for small jobs; * is any text, ? one letter",
    },
    most = {
      type = "number", default = 1, min = 0,
      doc = "a job with at most this many GPUs is small",
    },
  },

  -- One number for the flavor f and the job w: the larger one is tried first, a tie as declared.
  -- Each flavor still has to have room.
  flavor_order = function(w, f, c)
    local fits = w.gpus <= c.params.most and muster.glob(f.name, c.params.small)
    return fits and 1 or 0  -- equivalent: only which is larger counts
  end,
}
