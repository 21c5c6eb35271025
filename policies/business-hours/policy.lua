-- Weights by the clock: some teams weigh more while people work, others at night.

local kDay = 86400

-- Whether `now` is between `start` and `finish` o'clock of Monday to Friday, `zone` hours east of
-- Greenwich. 1970 began on a Thursday.
local function working(now, p)
  local there = now + p.zone * 3600
  local hour = there % kDay / 3600
  local weekday = (math.floor(there / kDay) + 3) % 7
  return weekday < 5 and hour >= p.start and hour < p.finish
end

return {
  api = 1,
  name = "business-hours",
  description = "Fair sharing in which queues named `day` weigh `factor` as much in office hours.",

  params = {
    day = {
      type = "string", default = "*-interactive",
      doc = "queues and cohorts that weigh more in office hours; * is any text, ? one letter",
    },
    factor = {
      type = "number", default = 4, min = 0.01, max = 100,
      doc = "what their weight is multiplied by in office hours",
    },
    start = { type = "number", default = 8, min = 0, max = 24, doc = "office hours begin" },
    finish = { type = "number", default = 18, min = 0, max = 24, doc = "office hours end" },
    zone = { type = "number", default = 0, min = -12, max = 14, doc = "hours east of Greenwich" },
  },

  share = { reads = { "native_share", "now" }, function(n, c)
    local p = c.params
    if working(c.now, p) and muster.glob(n.name, p.day) then return n.native_share / p.factor end
    return n.native_share
  end },
}
