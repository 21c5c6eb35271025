-- Fails in some cycles: by an error, by its fuel, by what it answers. Its other answers are made of
-- everything that could differ between two runs: random numbers, floats, sorted names.
local function pick(c, name)
  local x = c.rng(name)
  if not string.contains(name, "-") then return x end -- the jobs that it is tried on
  if x < 0.1 then error("it fails for " .. name) end
  if x < 0.15 then
    while true do x = x + 1 end
  end
  if x < 0.2 then return 0 / 0 end
  return math.floor(x * 8)
end

return {
  api = 1,
  name = "often-failing",
  queue_order = {
    reads = { "now" },
    function(w, c)
      local t = { w.waited, w.pods, math.sqrt(w.priority * w.priority + 2) }
      for k, v in pairs({ a = 1, [w.name] = 2, z = 3 }) do t[#t + 1] = #k * v end
      table.sort(t)
      return pick(c, w.name), t[1] * 0.1 + t[3] / 3
    end,
  },
  cycle_order = function(w, c) return pick(c, w.cluster_queue), -w.borrowing_level end,
  flavor_order = function(w, f, c) return pick(c, w.name .. f.name) end,
  victim = {
    reads = { "now" },
    function(v, p, c) return pick(c, v.name .. p.name) + muster.pow(v.ran / 3600 + 1, 0.5) end,
  },
  hold = { reads = { "now" }, function(w, c)
    local number = pick(c, w.name .. " held")
    if number < 6 then return nil end
    return c.hold("drew " .. number, number == 7 and c.now + 30 or nil)
  end },
  boost = { reads = { "now" }, function(w, c)
    return math.floor(pick(c, w.name .. " raised"))
  end },
}
