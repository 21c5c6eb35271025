-- Slices for what needs little, and whole GPUs that stay free for gangs while people work.

-- Whether it is a weekday between the hours of the parameters, in Zurich.
local function working(c)
  local at = c.local_time("Europe/Zurich")
  return at.weekday <= 5 and at.hour >= c.params.from and at.hour < c.params.to
end

return {
  api = 1,
  name = "keep-free",
  description = "Small jobs prefer slices; in working hours whole GPUs stay free for gangs.",
  labels = { "gpu-fraction" },
  zones = { "Europe/Zurich" },

  params = {
    slices = { type = "string", default = "mig-1g", doc = "flavor for jobs of a small fraction" },
    kept = { type = "string", default = "h100", doc = "flavor of which some stay free" },
    free = {
      type = "integer", default = 8, min = 1, max = 100000,
      doc = "so many GPUs stay free, but for gangs of as many",
    },
    from = { type = "integer", default = 8, min = 0, max = 24, doc = "hour in which work begins" },
    to = { type = "integer", default = 18, min = 0, max = 24, doc = "hour in which it has ended" },
  },

  flavor_order = { reads = { "now", "free" }, function(w, f, c)
    local fraction = tonumber(w.label["gpu-fraction"]) or 1  -- equivalent: anything above a seventh
    if f.name == c.params.slices and fraction * 7 <= 1 then
      return 1  -- equivalent: anything above 0
    end
    if f.name ~= c.params.kept or w.gpus >= c.params.free or not working(c) then
      return -f.index
    end
    if f.free["nvidia.com/gpu"] - w.gpus < c.params.free then return -math.huge end
    return -f.index
  end },
}
