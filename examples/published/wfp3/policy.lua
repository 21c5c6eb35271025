-- WFP3 of Tang et al. (2009); waits stand still, as published.

local function requested(w)
  local seconds = tonumber(w.label["muster.dev/requested"]) or -1  -- unknown, as logs write it
  return seconds >= 1 and seconds or -1
end

local function processors(w, c)
  return w.request[c.params.resource]
end

-- The published program takes a start time of -1 for a job that waits, so its wait does not grow.
local function waited(w)
  return -1 - w.created
end

return {
  api = 1,
  name = "wfp3",
  description = "WFP3 of Tang et al. (2009); waits stand still, as published.",
  labels = { "muster.dev/requested" },

  params = {
    resource = { type = "string", default = "cpu", doc = "what a processor is" },
    head = { type = "string", default = "", doc = "the job that room is kept for; none" },
    reservation = {
      type = "number", default = 0,
      doc = "when there will be room for it, in seconds since the epoch",
    },
  },

  -- While room is kept for one job, others start only if they are over before.
  hold = { reads = { "now" }, function(w, c)
    if c.params.head == "" or w.name == c.params.head then return nil end
    if c.now + requested(w) < c.params.reservation then return nil end
    return c.hold("it may still run when " .. c.params.head .. " could start")
  end },

  queue_order = function(w, c)
    if c.params.head ~= "" then return w.name == c.params.head and 1 or 0, -w.created end
    return muster.pow(waited(w) / requested(w), 3) * processors(w, c), 0
  end,
}
