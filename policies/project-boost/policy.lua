-- One project gains priority by the hour until a date; what waits for too long gains more.

return {
  api = 1,
  name = "project-boost",
  description = "A project's jobs gain priority as they wait, until a date; no other job starves.",
  labels = { "project" },

  params = {
    project = { type = "string", default = "", doc = "whose label project says so" },
    deadline = {
      type = "date", default = "2030-01-01",
      doc = "from here on the project is one like any other",
    },
    step = {
      type = "integer", default = 10, min = 0, max = 100000,
      doc = "priority gained with each hour of waiting",
    },
    most = {
      type = "integer", default = 1000, min = 0, max = 1000000,
      doc = "the project gains no more than this",
    },
    patience = {
      type = "duration", default = "36h", min = "1h", max = "30d",
      doc = "any job that waits for longer comes before all of the project",
    },
  },

  boost = { reads = { "now" }, every = "10m", function(w, c)
    if w.waited >= c.params.patience then return c.params.most + 1 end
    if w.label.project == "" or w.label.project ~= c.params.project then return 0 end
    if c.now >= c.params.deadline then return 0 end
    return math.min(math.floor(w.waited / 3600) * c.params.step, c.params.most)
  end },
}
