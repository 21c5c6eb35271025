-- Small jobs first, but a job looks smaller the longer it waits, so that big ones get their turn.

local function size(w, resource)
  if resource == "" then return w.gpus end
  return w.request[resource]
end

return {
  api = 1,
  name = "small-first",
  description = "Within a priority the smaller job first; waiting makes a job count as smaller.",

  params = {
    aging = {
      type = "duration", default = "1h", min = "1s", max = "30d",
      doc = "after waiting this long a job counts half its size, after twice as long a third, ...",
    },
    resource = {
      type = "string", default = "",
      doc = "resource that makes a job big, such as cpu; empty: all GPUs",
    },
  },

  queue_order = { reads = { "now" }, function(w, c)
    local age = 1 + w.waited / c.params.aging
    return w.priority, -size(w, c.params.resource) / age, -w.pods / age
  end },
}
