-- my-policy: what may be submitted, and as what. Say here what it is for.
return {
  api = 1,
  name = "my-policy",
  description = "Refuses jobs of more than `most` GPUs; those without a time come behind.",

  -- What an operator may set without touching this file; read as c.params.most.
  params = {
    most = {
      type = "integer", default = 64, min = 1, max = 100000,
      doc = "GPUs that one job may ask for",
    },
  },

  -- Asked once about each job w that arrives. Nothing takes it as it is, c.reject(message) refuses
  -- it, and a table changes it: priority, queue (another LocalQueue of its namespace), labels.
  submit = function(w, c)
    if w.gpus > c.params.most then
      return c.reject("a job may ask for " .. c.params.most .. " GPUs; split it")
    end
    if w.max_run == math.huge then return { priority = w.priority - 1 } end
  end,
}
