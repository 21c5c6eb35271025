-- Reports that come late, and what a program gets wrong.
local muster = require "muster"
local support = require "support"

local NOON, QUEUES, JOB = support.NOON, support.QUEUES, support.JOB
local X = "team-a/x"

describe("a report", function()
  local engine, shape

  before_each(function()
    engine = muster.memory()
    engine:apply(QUEUES, { now = NOON })
    engine:register("gateway", { now = NOON })
    shape = muster.shape(JOB)
  end)

  after_each(function()
    engine:close()
  end)

  local function submit(uid)
    engine:submit({ { name = X, shape = shape, uid = uid } }, NOON)
    engine:cycles(NOON)
  end

  it("is about the job of its uid", function()
    submit "first"
    engine:cancel(X, NOON)
    submit "second"
    local reports = {
      function(uid) engine:ready(X, { uids = { uid }, now = NOON }) end,
      function(uid) engine:update(X, { priority = 3, uid = uid, now = NOON }) end,
      function(uid) engine:evict(X, "Maintenance", NOON, uid) end,
      function(uid) engine:evicted(X, NOON, uid) end,
      function(uid) engine:finish({ X }, { uids = uid, now = NOON }) end,
      function(uid) engine:cancel(X, NOON, { uid }) end,
    }
    for _, report in ipairs(reports) do
      local before = engine:state_hash()
      local done, refusal = pcall(report, "first")
      assert.is_false(done)
      assert.equal("FailedPrecondition", refusal.code)
      assert.truthy(refusal.message:find "of uid first, .* has uid second")
      assert.equal(before, engine:state_hash())
      report "second"
    end
  end)

  it("is about the run that it says", function()
    local reports = {
      function(run) engine:ready(X, { runs = { run }, now = NOON }) end,
      function(run) engine:update(X, { priority = 3, run = run, now = NOON }) end,
      function(run) engine:evict(X, "Maintenance", NOON, nil, run) end,
      function(run) engine:evicted(X, NOON, nil, run) end,
      function(run) engine:finish({ X }, { runs = run, now = NOON }) end,
      function(run) engine:cancel(X, NOON, nil, { run }) end,
    }
    for _, report in ipairs(reports) do
      local own = muster.memory()
      own:apply(QUEUES, { now = NOON })
      own:register("gateway", { now = NOON })
      own:submit({ { name = X, shape = shape } }, NOON)
      own:cycles(NOON)
      own:evict(X, "Maintenance", NOON, nil, 1)
      own:evicted(X, NOON, nil, 1)
      own:cycles(NOON)
      own:evict(X, "Maintenance", NOON)
      local runs = {}
      for i, decision in ipairs(own:decisions { consumer = "gateway" }) do
        runs[i] = decision.run
      end
      assert.same({ 1, 1, 2, 2 }, runs)
      engine, own = own, engine
      own:close()
      local done, refusal = pcall(report, 1)
      assert.is_false(done)
      assert.equal("FailedPrecondition", refusal.code)
      assert.truthy(refusal.message:find "about run 1 of .* newest is run 2")
      report(2)
    end
  end)

  it("comes with what may not be meant", function()
    local first = { name = X, shape = shape, uid = "first" }
    assert.equal(1, select("#", engine:submit({ first }, NOON)))
    local later = { name = "team-a/y", shape = shape, created = NOON + 5 }
    local created, told = engine:submit({ later }, NOON)
    assert.equal(1, created)
    assert.equal(1, #told)
    assert.truthy(told[1].what:find("team-a/y was created at", 1, true))
    engine:finish(X, { now = NOON })
    local other = JOB:gsub("cpu: 1", "cpu: 2")
    created, told = engine:submit({ { name = X, shape = muster.shape(other) } }, NOON)
    assert.equal(0, created)
    assert.truthy(told[1].what:find("the job of uid first, which has ended at", 1, true))
    local done, refusal = pcall(engine.submit, engine,
      { { name = "team-a/z", shape = shape, uid = "first" },
        { name = "team-a/w", shape = shape, uid = "first" } }, NOON)
    assert.is_false(done)
    assert.truthy(refusal.message:find("is already that of team-a/z", 1, true))
  end)

  --- What `call` is told is wrong, which must stand at its own line.
  local function wrong(call)
    local line = debug.getinfo(call, "S").linedefined
    local done, message = pcall(call)
    assert.is_false(done, "was not refused")
    assert.equal("string", type(message), tostring(message))
    assert.truthy(message:find("reports_spec.lua:" .. line, 1, true), message)
    return message
  end

  it("takes lists, and says what is none", function()
    local job = { name = X, shape = shape }
    for _, call in ipairs {
      function() engine:submit(job, NOON) end,
      function() engine:submit({ job, nil, job }, NOON) end,
      function() engine:submit("job", NOON) end,
      function() engine:submit({ X }, NOON) end,
      function() engine:finish({ a = X }, { now = NOON }) end,
      function() engine:finish({ X, nil, X }, { now = NOON }) end,
      function() engine:finish({ X }, { uids = { "a", "b" } }) end,
      function() engine:finish({ X }, { runs = { 1, 2 } }) end,
      function() engine:finish({ X }, { runs = "first" }) end,
      function() engine:evict(X, "Word", NOON, nil, -1) end,
      function() engine:finish({ X }, "failed") end,
      function() engine:submit({ { name = X, shape = io.stdout } }, NOON) end,
      function() engine:submit({ { name = X, shape = {} } }, NOON) end,
    } do
      wrong(call)
    end
    assert.same({}, engine:get "wl")
  end)

  it("does not cut a text at NUL, nor takes nil for one", function()
    local nul = "a\0b"
    for _, call in ipairs {
      function() engine:acknowledge(nul, 1, NOON) end,
      function() engine:acknowledge(nil, 1, NOON) end,
      function() engine:register(nul) end,
      function() engine:register(nil) end,
      function() engine:remove(nil) end,
      function() engine:decisions { consumer = nul } end,
      function() engine:hand_over(nil) end,
      function() engine:evict(X, nul, NOON) end,
      function() engine:evict(X, nil, NOON) end,
      function() engine:evict(X .. nul, "Word", NOON) end,
      function() engine:delete("cq", nul) end,
      function() engine:get(nil) end,
      function() engine:get("wl", { name = nul }) end,
      function() engine:set_caller(nul) end,
      function() engine:finish(X, { uids = nul }) end,
      function() engine:check(X, nil, "ready") end,
      function() engine:submit({ { name = X, shape = shape, queue = nul } }, NOON) end,
      function() engine:activate_policy(nil) end,
      function() muster.open(nul) end,
      function() muster.shape(nil) end,
      function() muster.check_policy(nul) end,
    } do
      wrong(call)
    end
  end)

  it("returns one value where it says so", function()
    submit()
    for _, count in ipairs {
      select("#", engine:get "wl"), select("#", engine:explain(X)),
      select("#", engine:what_if { command = "cycle" }), select("#", muster.schema()),
      select("#", engine:pod_requests(X)), select("#", muster.shape(JOB)),
    } do
      assert.equal(1, count)
    end
  end)
end)
