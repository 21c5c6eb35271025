-- The module as a gateway uses it.
local globals = {}
for name in pairs(_G) do
  globals[name] = true
end
local muster = require "muster"
local support = require "support"

local NOON, QUEUES, JOB = support.NOON, support.QUEUES, support.JOB

--- Jobs of team-a with these names; `more` stands in each.
local function jobs(names, more)
  local shape, made = muster.shape(JOB), {}
  for i, name in ipairs(names) do
    made[i] = { name = "team-a/" .. name, shape = shape }
    for field, value in pairs(more or {}) do
      made[i][field] = value
    end
  end
  return made
end

local function numbers(decisions)
  local all = {}
  for i, each in ipairs(decisions) do
    all[i] = each.number
  end
  return all
end

--- The refusal that `call` raises.
local function refused(call, ...)
  local done, refusal = pcall(call, ...)
  assert.is_false(done, "was not refused")
  assert.equal("table", type(refusal), refusal)
  return refusal
end

describe("an engine", function()
  local engine

  before_each(function()
    engine = muster.memory()
    engine:apply(QUEUES, { now = NOON })
    engine:register("gateway", { now = NOON })
  end)

  after_each(function()
    engine:close()
  end)

  it("goes through a day", function()
    assert.equal(2, engine:submit(jobs({ "a", "b" }, { count = 2, created = NOON }), NOON))
    assert.equal(0, engine:submit(jobs({ "a", "b" }, { count = 2, created = NOON }), NOON))
    local cycles = engine:cycles(NOON)
    assert.equal(1, cycles[1].admitted)
    assert.equal(1, cycles[2].admitted)
    assert.is_true(cycles[#cycles].at_rest)
    assert.equal(NOON, cycles[1].at)
    local told = engine:decisions { consumer = "gateway" }
    assert.same({ 1, 2 }, numbers(told))
    local first = told[1]
    assert.same({ "start", "team-a/a", true, false, NOON, "team-a-cq" },
      { first.kind, first.workload, first.starts, first.stop, first.at, first.cluster_queue })
    assert.same({ { name = "main", count = 2, flavors = { cpu = "default" },
      amounts = { cpu = 2000 } } }, first.pod_sets)
    assert.is_nil(first.by)
    assert.same({ 1, 2 }, { engine:acknowledge("gateway", 1, NOON) })
    assert.same({ 2 }, numbers(engine:decisions { after = 1 }))
    engine:ready("team-a/a", { now = NOON })
    engine:evict("team-a/a", "Maintenance", NOON)
    told = engine:decisions { consumer = "gateway" }
    assert.is_true(told[#told].stop)
    assert.equal("evict", told[#told].kind)
    engine:evicted({ "team-a/a" }, NOON)
    engine:finish({ "team-a/b" }, { now = NOON })
    engine:cancel({ "team-a/a" }, NOON)
    assert.equal("finished", engine:phase "team-a/b")
    assert.equal(2, engine:get("consumers", { name = "gateway" }).behind)
    local finished = engine:get("workloads", { states = { "finished" } })
    assert.equal(1, #finished)
    assert.equal("b", finished[1].metadata.name)
    engine:remove("gateway", NOON)
    engine:check_invariants()
  end)

  it("acknowledges what was acted on", function()
    engine:submit(jobs { "a", "b", "c" }, NOON)
    engine:cycles(NOON)
    for decision in engine:hand_over("gateway", 2) do
      if decision.number == 2 then
        break
      end
    end
    assert.same({ 2, 3 }, numbers(engine:decisions { consumer = "gateway" }))
    assert.has_error(function()
      for _ in engine:hand_over "gateway" do
        error "the gateway dies"
      end
    end)
    local seen = {}
    for decision in engine:hand_over("gateway", 1) do
      seen[#seen + 1] = decision.number
    end
    assert.same({ 2, 3 }, seen)
    assert.same({}, engine:decisions { consumer = "gateway", wait = 0.01 })
  end)

  it("keeps priorities, UIDs and times to the microsecond", function()
    engine:submit(jobs({ "low" }, { count = 4, priority = -1, uid = "one" }), NOON + 0.000001)
    engine:submit(jobs({ "high" }, { count = 4, priority = 2 ^ 31 - 1 }), NOON + 0.25)
    engine:cycles(NOON + 0.25)
    local told = engine:decisions { after = 0 }
    assert.equal("team-a/high", told[1].workload)
    assert.equal(NOON + 0.25, told[1].at)
    local low = engine:get("workloads", { name = "low", namespace = "team-a" })
    assert.equal("one", low.metadata.uid)
    assert.truthy(engine:explain "team-a/low")
    assert.is_nil(engine:next_deadline())
  end)

  it("writes the object of an admitted job as it may run", function()
    engine:apply(JOB, { now = NOON })
    engine:cycles(NOON)
    local started = engine:start_patch("team-a/job-shape", JOB)
    assert.equal("team-a/job-shape", started.workload)
    assert.equal(false, started.objects[1].patch.spec.suspend)
    assert.equal("NotFound", refused(engine.start_patch, engine, "team-a/none", JOB).code)
  end)

  it("reads the status of an object", function()
    engine:apply(JOB, { now = NOON })
    engine:cycles(NOON)
    local done = JOB .. "status: {conditions: [{type: Complete, status: 'True'}]}\n"
    local said = engine:observe(done, NOON)
    assert.same({ kind = "Workload", name = "team-a/job-shape", result = "finished" }, said[1])
  end)

  it("raises refusals with code, place and cure", function()
    local refusal = refused(engine.apply, engine,
      "kind: ClusterQueue\nmetadata: {name: x}\nspce: {}\n", { name = "q.yaml" })
    assert.equal("InvalidArgument", refusal.code)
    assert.truthy(refusal.mistakes[1].place:find "^q.yaml:")
    for _, each in ipairs(refusal.mistakes) do
      assert.not_equal("", each.what)
    end
    assert.equal(refusal.message, tostring(refusal))
    assert.equal("NotFound", refused(engine.explain, engine, "team-a/none").code)
    assert.equal("InvalidArgument", refused(engine.validate, engine, "kind: Nothing\n").code)
    assert.equal("InvalidArgument", refused(muster.shape, "kind: Nothing\n").code)
    assert.equal("NotFound", refused(engine.finish, engine, "team-a/none").code)
  end)

  it("hands out the answers before the command that was refused", function()
    local gone = { command = "cancel", workloads = { { namespace = "x", name = "y" } } }
    local refusal = refused(engine.command, engine, { { command = "advance" }, gone }, NOON)
    assert.same({ { answer = "done" } }, support.plain(refusal.answers))
    local text = engine:command('{"command":"advance"}', NOON)
    assert.equal('{"answer":"done"}', (text:gsub("%s", "")))
  end)

  it("tells the program's own mistakes at its line", function()
    local here = "engine_spec.lua:"
    local wrong = {
      { "write 'namespace/name'", function() engine:finish "a" end },
      { "write 'namespace/name'", function() engine:evict("/a", "Why") end },
      { "a count of pods is a whole number from 0 to 2147483647, not -1",
        function() engine:submit(jobs({ "a" }, { count = -1 })) end },
      { "a count of pods is", function() engine:submit(jobs({ "a" }, { count = 2 ^ 32 + 1 })) end },
      { "a count of pods is", function() engine:submit(jobs({ "a" }, { count = 1.5 })) end },
      { "a count of pods is", function() engine:submit(jobs({ "a" }, { count = 0 / 0 })) end },
      { "a count of pods is", function() engine:submit(jobs({ "a" }, { count = "3" })) end },
      { "a priority is", function() engine:submit(jobs({ "a" }, { priority = 2 ^ 31 })) end },
      { "a job has no 'queu'", function() engine:submit(jobs({ "a" }, { queu = "jobs" })) end },
      { "a job needs a shape", function() engine:submit { { name = "team-a/a" } } end },
      { "decisions takes one of", function() engine:decisions() end },
      { "it has failed, now", function() engine:finish("team-a/a", { fialed = true }) end },
      { "not nan", function() engine:advance(0 / 0) end },
      { "upto is a whole number from 0 to 9007199254740992, not 1.5",
        function() engine:acknowledge("gateway", 1.5) end },
      { "upto is", function() engine:acknowledge("gateway", 1e30) end },
      { "upto is", function() engine:acknowledge("gateway", 0 / 0) end },
      { "upto is", function() engine:acknowledge("gateway", "2") end },
      { "upto is", function() engine:acknowledge("gateway") end },
      { "after is", function() engine:register("late", { after = 1e30 }) end },
      { "after is", function() engine:register("late", { after = -7 }) end },
      { "after is", function() engine:decisions { after = 1 / 0 } end },
      { "after is", function() engine:decisions { after = "0" } end },
      { "limit is", function() engine:decisions { consumer = "gateway", limit = -1 } end },
      { "limit is", function() engine:decisions { consumer = "gateway", limit = 0.5 } end },
      { "wait is a number of seconds, not nan",
        function() engine:decisions { consumer = "gateway", wait = 0 / 0 } end },
      { "wait is", function() engine:decisions { consumer = "gateway", wait = "1" } end },
      { "lock_wait is", function() muster.memory { lock_wait = 0 / 0 } end },
      { "a ticket is", function() engine:wait(1.5) end },
      { "a ticket is", function() engine:stored(1e30) end },
      { "a ticket is", function() engine:stored() end },
      { "seconds since 1970", function() engine:cycle "noon" end },
      { "one of accept", function() engine:apply(QUEUES, { missing = "no" }) end },
      { "a manifest is a string", function() engine:apply() end },
      { "one of pending", function() engine:check("team-a/a", "x", "Ready") end },
      { "an engine has no 'relax'", function() muster.memory { relax = true } end },
      { "a ledger is a string", function() muster.open() end },
      { "a level is one of debug", function() muster.log_level "loud" end },
    }
    for _, each in ipairs(wrong) do
      local done, message = pcall(each[2])
      assert.is_false(done, each[1])
      message = tostring(message):gsub("-nan", "nan")
      assert.truthy(message:find(each[1], 1, true), message)
      assert.truthy(message:find(here, 1, true), message)
    end
  end)

  it("answers admission checks and activates policies", function()
    local top = os.getenv "MUSTER_TOP"
    local folder = top .. "/policies/small-first"
    assert.equal("small-first", muster.check_policy(folder).name)
    local answer = engine:activate_policy(folder, nil, { now = NOON, by = "lua" })
    assert.equal("activated", answer.answer)
    engine:shadow_policy(folder)
    engine:submit(jobs { "a" }, NOON)
    engine:cycles(NOON)
    assert.truthy(engine:shadow_report().cycles)
    engine:shadow_policy(nil)
    engine:roll_back_policy { now = NOON }
    assert.equal("NotFound", refused(engine.check, engine, "team-a/none", "x", "ready").code)
    assert.equal("NotFound", refused(muster.check_policy, top .. "/policies/none").code)
  end)

  it("stages a policy, then activates what was tried", function()
    local folder = os.getenv "MUSTER_TOP" .. "/policies/small-first"
    engine:submit(jobs { "a" }, NOON)
    local staged = engine:stage_policy(folder, nil, { by = "spec", now = NOON })
    assert.same({ "small-first", "" }, { staged.name, staged.doubt })
    assert.equal(0, #engine:get "policies")
    assert.equal("FailedPrecondition", refused(engine.activate_staged, engine, "other").code)
    assert.equal("activated", engine:activate_staged(staged.hash, { now = NOON }).answer)
    assert.equal(1, #engine:get "policies")
    assert.equal("NotFound", refused(engine.stage_policy, engine, folder .. "-none").code)
  end)

  it("says what commands would change", function()
    engine:submit(jobs({ "a", "b" }, { count = 3 }), NOON)
    engine:cycles(NOON)
    local ends = { command = "finish", workloads = { { namespace = "team-a", name = "a" } } }
    local changes = {}
    for _, each in ipairs(engine:what_if({ ends }, NOON).changes) do
      changes[each.workload] = each.change
    end
    assert.equal("starts", changes["team-a/b"])
    assert.equal("FailedPrecondition", refused(engine.eta, engine).code)
    assert.equal("FailedPrecondition", refused(engine.set_caller, engine, "me").code)
  end)

  it("does not wait where the time to wait is negative", function()
    assert.same({}, engine:decisions { consumer = "gateway", wait = -0.5 })
    assert.same({}, engine:decisions { consumer = "gateway", wait = -1 / 0 })
    engine:submit(jobs { "a" }, NOON)
    engine:cycles(NOON)
    assert.same({ 1 }, numbers(engine:decisions { consumer = "gateway", wait = 1 / 0 }))
  end)

  it("is refused when it is closed", function()
    engine:close()
    engine:close()
    assert.has_error(function() engine:cycle(NOON) end)
    assert.has_error(function() engine:wake() end)
  end)
end)

describe("a ledger", function()
  it("goes on where it stood", function()
    local folder = support.folder()
    local path = folder .. "/ledger"
    assert.equal("NotFound", refused(muster.open, path, { must_exist = true }).code)
    local first = muster.open(path, { allow_time_jump = true })
    first:apply(QUEUES, { now = NOON })
    assert.equal("Unavailable", refused(muster.open, path).code)
    local before = first:state_hash()
    first:close()
    local second = muster.open(path, { lock_wait = 0.1 })
    assert.equal(before, second:state_hash())
    second = nil -- luacheck: ignore 311
    collectgarbage()
    collectgarbage()
    -- What is not closed is let go of with its object.
    muster.open(path):close()
    support.remove(folder)
  end)
end)

describe("a ledger", function()
  it("has no package of an unknown hash", function()
    local folder = support.folder()
    local engine = muster.open(folder .. "/ledger")
    local command = { command = "activate-policy", hash = ("f"):rep(64) }
    local refusal = refused(engine.command, engine, command)
    assert.equal("NotFound", refusal.code)
    assert.truthy(refusal.message:find("the ledger has no policy package of the hash", 1, true))
    engine:close()
    support.remove(folder)
  end)
end)

describe("a ledger with a past", function()
  it("says when its jobs will start, and keeps its caller", function()
    local folder = support.folder()
    local engine = muster.open(folder .. "/ledger", { allow_time_jump = true })
    engine:set_caller "spec"
    engine:apply(QUEUES, { now = NOON })
    engine:submit(jobs({ "a", "b" }, { count = 3 }), NOON)
    engine:cycles(NOON)
    local asked = { "team-a/b" }
    local told = engine:eta(asked, { futures = 3, now = NOON })
    assert.equal("team-a/b", told.workloads[1].workload)
    assert.is_nil(getmetatable(asked))
    assert.equal(1, engine:eta(nil, { futures = 1, questions = 0, now = NOON }).futures)
    assert.equal("InvalidArgument", refused(engine.eta, engine, nil, { futures = 0 }).code)
    engine:close()
    support.remove(folder)
  end)
end)

describe("a ledger", function()
  local folder, path, engine

  before_each(function()
    folder = support.folder()
    path = folder .. "/ledger"
    engine = muster.open(path, { allow_time_jump = true })
    engine:apply(QUEUES, { now = NOON })
    engine:register("gateway", { now = NOON })
  end)

  after_each(function()
    engine:close()
    support.remove(folder)
  end)

  it("has what was waited for ahead of the disk", function()
    engine:start_pipeline()
    local before = engine:ticket()
    engine:submit(jobs { "a" }, NOON)
    engine:submit(jobs { "b" }, NOON)
    assert.equal(before + 2, engine:ticket())
    engine:wait()
    assert.is_true(engine:stored(before + 2))
    local reads = muster.read(path)
    assert.equal("pending", reads:phase "team-a/b")
    reads:close()
    engine:cycles(NOON)
    assert.same({ 1, 2 }, numbers(engine:decisions { consumer = "gateway" }))
    assert.equal("FailedPrecondition", refused(engine.start_pipeline, engine).code)
    engine:stop_pipeline()
    local memory = muster.memory()
    assert.truthy(tostring(refused(memory.start_pipeline, memory)):find "open a ledger")
    memory:close()
  end)

  it("has one call ahead of the disk at least", function()
    for _, wrong in ipairs { 0, -1, 1.5, 0 / 0, 1e300, "2" } do
      local done, message = pcall(engine.start_pipeline, engine, wrong)
      assert.is_false(done)
      assert.truthy(tostring(message):find("in_flight is a whole number from 1 to", 1, true))
    end
    engine:start_pipeline(1)
    for _, wrong in ipairs { 0 / 0, 1e300 } do
      assert.is_false(pcall(engine.stored, engine, wrong))
    end
    engine:stop_pipeline()
  end)

  it("is copied, and asked what an owner may apply", function()
    engine:submit(jobs { "a" }, NOON)
    local copy = engine:copy()
    copy:cycles(NOON)
    assert.equal("admitted", copy:phase "team-a/a")
    assert.equal("pending", engine:phase "team-a/a")
    copy:close()
    engine:check_owner("team-a-cq", "")
    local refusal = refused(engine.check_owner, engine, "team-a-cq", QUEUES, "mine.yaml")
    assert.truthy(refusal.mistakes[1].place:find "mine.yaml:")
  end)
end)

describe("the module", function()
  it("plays scenarios and tests of policies", function()
    local path = "tests/scenarios/gang/all-or-nothing.yaml"
    local failed, report = muster.play(support.read(path), path)
    assert.equal(0, failed)
    assert.truthy(report)
    failed = muster.test_policy(os.getenv "MUSTER_TOP" .. "/policies/small-first")
    assert.equal(0, failed)
    assert.equal(1, (muster.play("nothing: here\n")))
  end)

  it("knows its version and the time", function()
    assert.truthy(muster.version:find "^%d+%.%d+%.%d+")
    assert.equal(5, muster.abi_version)
    assert.truthy(math.abs(muster.now() - os.time()) < 60)
    assert.truthy(muster.schema()["$schema"])
    muster.log_level "warning"
  end)

  it("sets no globals", function()
    require "muster"
    for name in pairs(_G) do
      if name:find "muster" or name:find "json" then
        assert.truthy(globals[name], name)
      end
    end
  end)
end)
