-- my-policy: which jobs have to wait, and why. Say here what it is for.
return {
  api = 1,
  name = "my-policy",
  description = "A job of more than `most` GPUs waits until it has the label `approved`.",

  -- The only labels that w.label has.
  labels = { "approved" },

  -- What an operator may set without touching this file; read as c.params.most.
  params = {
    most = {
      type = "integer", default = 64, min = 0, max = 100000,
      doc = "GPUs that a job may ask for without the label",
    },
  },

  -- Nothing lets w go on. c.hold(reason) holds it back, c.hold(reason, until) until then; those
  -- behind it pass. What changes by itself, such as c.now or w.account, must be in
  -- hold = { reads = { "now" }, every = "1m", function(w, c) ... end }.
  hold = function(w, c)
    if w.gpus > c.params.most and w.label.approved == "" then
      return c.hold("over " .. c.params.most .. " GPUs needs label approved")
    end
    return nil
  end,
}
