-- The shortest requested time first, then first come, first served.

local function requested(w)
  return tonumber(w.label["muster.dev/requested"]) or -1  -- unknown, as logs write it
end

return {
  api = 1,
  name = "sjf",
  description = "The shortest requested time first, then first come, first served.",
  labels = { "muster.dev/requested" },

  params = {
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
    return -requested(w), -w.created
  end,
}
