-- fx.flood: a day in which one group of jobs floods the cluster, played twice in the engine: by its
-- own rules and by the package. The answer is a table for people, in Markdown.
local import = ...
local fixtures = import "fixtures"
local values = import "values"
local world = import "world"

local kStep = 1800      -- seconds between two looks at the queue
local kMaxSteps = 1000

-- Jobs: count, fields of fx.workload, `at` and `hours` in hours, and where they are told apart.
local kScenes = {
  -- A sweep fills one queue before all others come.
  queue = {
    cluster = { gpus = 8 },
    jobs = {
      { name = "sweep", count = 24, gpus = 1, hours = 2, at = 0, namespace = "tuners" },
      { name = "train", count = 1, gpus = 8, hours = 4, at = 1, namespace = "models" },
      { name = "urgent", count = 2, gpus = 2, hours = 1, at = 2, priority = 10, namespace = "ops" },
      { name = "short", count = 4, gpus = 1, hours = 0.5, at = 3, namespace = "lab" },
    },
  },
  -- A team with quota of its own borrows the pool before one that has none comes.
  teams = {
    cluster = { fair_sharing = true, cohort = "all", queues = {
      flood = { gpus = 4 }, calm = { gpus = 0 }, pool = { gpus = 8 } } },
    jobs = {
      { name = "flood", queue = "flood", count = 18, gpus = 4, hours = 2, at = 0, every = 0.5 },
      { name = "calm", queue = "calm", count = 9, gpus = 4, hours = 2, at = 1 },
    },
  },
  -- Urgent jobs have to evict a long run or some of a sweep.
  preemption = {
    cluster = { gpus = 8, preemption = true },
    jobs = {
      { name = "train", count = 1, gpus = 4, hours = 8, at = 0 },
      { name = "sweep", count = 16, gpus = 1, hours = 3, at = 0.5, priority = 1 },
      { name = "urgent", count = 4, gpus = 2, hours = 1, at = 3, every = 2, priority = 10 },
    },
  },
}

local function make_jobs(groups)
  local jobs = {}
  for _, group in ipairs(groups) do
    for i = 1, group.count do
      local fields = fixtures.copy(group)
      for _, own in ipairs { "count", "hours", "at", "every" } do fields[own] = nil end
      fields.name = group.name .. "-" .. string.format("%02d", i)
      local name = group.namespace and group.namespace .. "/" .. fields.name or fields.name
      jobs[#jobs + 1] = { group = group.name, name = name, fixture = fixtures.workload(fields),
        gpus = group.gpus, runs = group.hours * 3600, wait = 0,
        at = fixtures.now + (group.at + (group.every or 0) * (i - 1)) * 3600 }
    end
  end
  return jobs
end

local function settle(cluster, by_name)
  for _ = 1, 200 do
    local cycle = cluster:cycle()
    for _, name in ipairs(cycle.admitted) do by_name[name].since = cluster.clock end
    for _, name in ipairs(cycle.preempted) do
      local job = by_name[name]
      job.evicted = (job.evicted or 0) + 1
      job.lost = (job.lost or 0) + (cluster.clock - job.since) * job.gpus / 3600
      job.wait = job.wait - (cluster.clock - job.since)
      job.since = nil
    end
    if #cycle.preempted > 0 then cluster:evicted() end
    if #cycle.admitted + #cycle.preempted == 0 then return end
  end
end

-- Plays until every job has ended.
local function play(scene, options)
  local jobs, by_name = make_jobs(scene.jobs), {}
  for _, job in ipairs(jobs) do by_name[job.name] = job end
  local fields = fixtures.copy(scene.cluster)
  fields.params, fields.policy = options.params, options.policy
  local cluster = world.cluster(fields)
  local left = #jobs
  for _ = 1, kMaxSteps do
    for _, job in ipairs(jobs) do
      if job.since and not job.ended and cluster.clock - job.since >= job.runs then
        job.ended, left = true, left - 1
        job.wait = job.wait + job.since - job.at
        cluster:finish(job.name)
      end
    end
    if left == 0 then break end
    for _, job in ipairs(jobs) do
      if not job.known and job.at <= cluster.clock then
        job.known = true
        cluster:submit { job.fixture }
      end
    end
    settle(cluster, by_name)
    cluster:advance(kStep)
  end
  return jobs, left
end

local function hours(seconds)
  local text = string.gsub(string.format("%.1f", seconds / 3600), "%.0$", "")
  return text .. " h"
end

-- Mean and longest wait of a group, and what it lost, as three cells.
local function summary(jobs, group)
  local count, total, longest, evicted, lost, waiting = 0, 0, 0, 0, 0, 0
  for _, job in ipairs(jobs) do
    if job.group == group then
      count, total, longest = count + 1, total + job.wait, math.max(longest, job.wait)
      evicted, lost = evicted + (job.evicted or 0), lost + (job.lost or 0)
      if not job.ended then waiting = waiting + 1 end
    end
  end
  if waiting > 0 then return waiting .. " never end", evicted, lost end
  return hours(total / count) .. ", " .. hours(longest), evicted, lost
end

-- options: scene "queue", "teams" or "preemption", params of the package, `label` to be given to
-- every job of a group: label = { train = { hero = "true" } }.
return function(options)
  fixtures.check_keys("fx.flood", options, { scene = true, params = true, label = true,
    max_run = true })
  local known = table.concat(values.sorted_keys(kScenes), ", ")
  local scene = fixtures.copy(kScenes[options.scene]
    or error("fx.flood: write scene = one of " .. known, 0))
  local groups = {}
  for i, group in ipairs(scene.jobs) do
    groups[i] = fixtures.copy(group)
    groups[i].label = options.label and options.label[group.name]
    groups[i].max_run = options.max_run and group.hours .. "h" or nil
  end
  scene.jobs = groups
  local before = play(scene, { policy = false })
  local after = play(scene, { params = options.params })
  local preempts = options.scene == "preemption"
  local lines = { "| jobs | wait by the engine's rules: mean, longest | by this package |",
    "|---|---|---|" }
  if preempts then
    lines = { "| jobs | by the engine's rules | evicted, lost | by this package | evicted, lost |",
      "|---|---|---|---|---|" }
  end
  for _, group in ipairs(groups) do
    local cells = { group.count .. " " .. group.name .. ", " .. group.gpus .. " GPU, "
      .. hours(group.hours * 3600) .. string.format(", at %d:%02d", group.at, group.at % 1 * 60) }
    for _, jobs in ipairs { before, after } do
      local wait, evicted, lost = summary(jobs, group.name)
      cells[#cells + 1] = wait
      if preempts then
        cells[#cells + 1] = evicted .. ", " .. string.format("%g", lost) .. " GPU-hours"
      end
    end
    lines[#lines + 1] = "| " .. table.concat(cells, " | ") .. " |"
  end
  return table.concat(lines, "\n") .. "\n"
end
