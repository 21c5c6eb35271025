-- A job that has waited for an hour gains one of priority a minute, so that none waits for ever.
return {
  api = 1,
  name = "late-jobs-gain",
  boost = { reads = { "now" }, every = "10m", function(w)
    if w.waited > 3600 then return math.floor((w.waited - 3600) / 60) end
  end },
}
