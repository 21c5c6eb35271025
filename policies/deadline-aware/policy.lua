-- Least slack first: the job that must start soonest to be done in time is next.

local kMostHours = 878400  -- a hundred years: what is further away is no deadline

-- The job's label, or else the package's own answer, as hours after it was submitted.
local function deadline(w, c)
  local hours = tonumber(w.label["deadline-hours"])
  if hours and hours > 0 and hours <= kMostHours then return w.created + hours * 3600 end
  return w.created + c.params.default
end

-- Jobs that do not say how long they run count as short.
local function length(w, c)
  if w.max_run == math.huge then return c.params.length end
  return w.max_run
end

return {
  api = 1,
  name = "deadline-aware",
  description = "Within a priority the job that must start soonest to end in time is next.",
  labels = { "deadline-hours" },

  params = {
    default = {
      type = "duration", default = "7d", min = "1m",
      doc = "deadline of jobs without the label deadline-hours, counted from their submission",
    },
    length = {
      type = "duration", default = "1h", min = "0s",
      doc = "how long a job runs that has no maximumExecutionTimeSeconds",
    },
  },

  -- The latest time at which it may start; slack is that less now, and now is the same for all.
  queue_order = function(w, c)
    return w.priority, length(w, c) - deadline(w, c)
  end,
}
