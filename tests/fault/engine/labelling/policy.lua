-- Answers with texts, which the host has to copy.
return {
  api = 1,
  name = "labelling",
  description = "Every job gets a label.",

  submit = function(w)
    return { priority = 5, labels = { ["example.com/a-label-of-length"] = "of-" .. w.name } }
  end,

  queue_order = function(w) return w.priority, -w.pods end,
}
