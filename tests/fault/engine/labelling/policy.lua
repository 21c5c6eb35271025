-- Answers with texts, which the host has to copy.
return {
  api = 1,
  name = "labelling",
  description = "Every job gets a label.",

  submit = function(w)
    local value = "a-value-of-length-" .. w.pods
    return { priority = 5, labels = { ["example.com/a-label-of-length"] = value } }
  end,

  queue_order = function(w) return w.priority, -w.pods end,
}
