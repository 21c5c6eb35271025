-- Evicts the job of lowest priority, wherever it runs.
return {
  api = 1,
  name = "victims-lowest-priority",
  description = "Evicts the job of lowest priority, wherever it runs.",

  victim = function(v)
    return v.priority
  end,
}
