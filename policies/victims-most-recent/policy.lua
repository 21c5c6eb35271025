-- Evicts the job that started last, so that the least work is lost.
return {
  api = 1,
  name = "victims-most-recent",
  description = "Evicts the job that started last, so that the least work is lost.",

  victim = function(v)
    return -v.reserved_at
  end,
}
