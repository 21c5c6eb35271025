--- Engine: one admission engine. muster.memory and muster.open make them; muster.lua has the rules
--- about times, names and errors.
local json = require "dkjson"

local values = require "muster.values"

local door, told, micros = values.door, values.told, values.micros

local Engine = {}
Engine.__index = Engine

-- What stands in these tables is an option.
local OPEN = { must_exist = true, allow_time_jump = true, relaxed = true, lock_wait = true }
local APPLY = { name = true, missing = true, now = true }
local VALIDATE = { name = true, missing = true }
local FINISH = { failed = true, uids = true, now = true }
local READY = { ready = true, uids = true, now = true }
local REGISTER = { after = true, now = true }
local DECISIONS = { consumer = true, after = true, limit = true, wait = true }
local GET = { name = true, namespace = true, states = true, sort = true }
local ETA = { futures = true, questions = true, arrivals = true, now = true }
local UPDATE = { priority = true, active = true, counts = true, reclaimable = true,
  open_gates = true, checkpointed = true, uid = true, now = true }
local DELETE = { force = true, now = true }
local POLICY = { by = true, why = true, now = true }

--- Options `by` and `why` of a call about policies.
local function reasons(options)
  return values.text(options.by or "", "by", 3), values.text(options.why or "", "why", 3)
end

--- The text that stands for a manifest in places.
local function called(options)
  local name = values.text(options.name or "manifest", "name", 3)
  return name
end

--- The door's handle; refuses what comes after close.
local function open(self)
  return self.handle or error("the engine is closed", 3)
end

local function missing(word)
  local number = values.one_of(values.missing, word or "refuse", "missing", 3)
  return number  -- a tail call would hide this frame, which the levels of errors count
end

--- An engine of its own with what the door handed out.
local function made(handle)
  return setmetatable({ handle = handle }, Engine)
end

function Engine.new(path, options)
  options = values.options(options, OPEN, "an engine", 3)
  return made(told(door.open(path, options.must_exist or false, options.allow_time_jump or false,
    options.relaxed or false, values.milliseconds(options.lock_wait, "lock_wait", 3))))
end

--- muster.read.
function Engine.reading(path)
  return made(told(door.read_ledger(path)))
end

--- An engine in memory with this state and these policies, to try things on.
function Engine:copy()
  return made(told(door.copy(open(self))))
end

--- Lets go of the ledger. Closing twice does nothing; other calls are refused then.
function Engine:close()
  local handle = self.handle
  self.handle = nil
  if handle then
    told(door.close(handle))
  end
end

-- Reports are about jobs by name. One that may come late also says by its uid which job it is
-- about, as a decision has it: `uids` are those of the workloads, a list or the one. Where another
-- job has the name by now, FailedPrecondition is raised.

-- ---- objects and commands ----

--- Applies manifests (YAML or JSON, several documents).
-- options: name (stands for the text in mistakes), missing ("refuse", "accept", "as-kueue"), now.
-- Returns "created", "changed" or "unchanged" for each object.
function Engine:apply(manifests, options)
  options = values.options(options, APPLY, "apply", 2)
  return values.decode(told(door.apply(open(self), values.long_text(manifests, "a manifest", 2),
    called(options), missing(options.missing), micros(options.now, 2)))).objects
end

--- Raises what `apply` would; changes nothing.
function Engine:validate(manifests, options)
  options = values.options(options, VALIDATE, "validate", 2)
  told(door.validate(open(self), values.long_text(manifests, "a manifest", 2),
    called(options), missing(options.missing)))
end

--- What is valid and still will not do what its author wants, as `muster validate` warns: jobs that
--- could never start are among it. Returns a list of { place, what, cure }; changes nothing.
function Engine:advise(manifests, options)
  options = values.options(options, VALIDATE, "advise", 2)
  return values.decode(told(door.advise(open(self), values.long_text(manifests, "a manifest", 2),
    called(options), missing(options.missing)))).advice
end

--- Raises what keeps the owner of `queue` from applying these manifests: it binds policies of its
--- own jobs alone. `queue`: a ClusterQueue, or "namespace/name" of a LocalQueue.
function Engine:check_owner(queue, manifests, name)
  told(door.check_owner(open(self), values.text(queue, "a queue", 2),
    values.long_text(manifests, "a manifest", 2),
    values.text(name or "manifest", "name", 2)))
end

--- Carries out commands of docs/wire.md. A text is JSON and is answered in JSON; a table is one
--- command, or a list of them, and is answered with a table. Where a command of a list is refused,
--- those before it have happened: `answers` of the refusal has theirs.
function Engine:command(command, now)
  local is_text = type(command) == "string"
  local text = is_text and command or json.encode(command)
  local answer, refusal = door.command(open(self), text, micros(now, 2))
  if answer == nil then
    if refusal.answers and not is_text then
      refusal.answers = values.decode(refusal.answers)
    end
    told(nil, refusal)
  end
  return is_text and answer or values.decode(answer)
end

--- What commands, a table as for `command`, would change for the jobs; the engine stays as it is.
function Engine:what_if(commands, now)
  return values.decode(told(door.what_if(open(self), json.encode(commands), micros(now, 2))))
end

--- When these workloads (a list, or nil: all that wait) of a ledger will start; waits in seconds.
-- options: futures, questions, arrivals, now.
function Engine:eta(workloads, options)
  options = values.options(options, ETA, "eta", 2)
  local asked = setmetatable({ futures = options.futures, questions = options.questions,
    arrivals = options.arrivals }, { __jsontype = "object" })
  if workloads then
    asked.workloads = setmetatable({}, { __jsontype = "array" })
    for i, name in ipairs(workloads) do
      asked.workloads[i] = name
    end
  end
  return values.decode(told(door.eta(open(self), json.encode(asked), micros(options.now, 2))))
end

--- The ledger keeps this name beside each command from now on; "": none.
function Engine:set_caller(caller)
  told(door.set_caller(open(self), values.text(caller, "a caller", 2)))
end

--- Queues jobs: { name = "team-a/train", shape = ..., queue, priority, count, uid, created } each.
--- What is left out is as the shape has it. Returns how many were not there yet.
function Engine:submit(jobs, now)
  return told(door.submit(open(self), values.jobs(jobs, 2), micros(now, 2)))
end

--- They ended. One that has ended already is left alone. options: failed, uids, now.
function Engine:finish(workloads, options)
  options = values.options(options, FINISH, "finish", 2)
  told(door.finish(open(self), values.names(workloads, options.uids, 2), options.failed or false,
    micros(options.now, 2)))
end

--- The pods of these, which were told to stop, are gone.
function Engine:evicted(workloads, now, uids)
  told(door.evicted(open(self), values.names(workloads, uids, 2), micros(now, 2)))
end

--- They were withdrawn, and are forgotten.
function Engine:cancel(workloads, now, uids)
  told(door.cancel(open(self), values.names(workloads, uids, 2), micros(now, 2)))
end

--- Their pods are all ready or, with ready = false, no longer. options: ready, uids,
--- now.
function Engine:ready(workloads, options)
  options = values.options(options, READY, "ready", 2)
  told(door.ready(open(self), values.names(workloads, options.uids, 2), options.ready ~= false,
    micros(options.now, 2)))
end

--- Orders an eviction; `reason` is one word, such as "Maintenance".
function Engine:evict(workload, reason, now, uid)
  local namespace, name = values.split(workload, 2)
  told(door.evict(open(self), namespace, name, values.optional(uid, "a uid", 2) or "",
    values.text(reason, "a reason", 2), micros(now, 2)))
end

--- Changes values of a workload; what is left out stays. options: priority, active, counts and
--- reclaimable (pods by podset), open_gates (a list; others are closed), checkpointed, uid, now.
function Engine:update(workload, options)
  options = values.options(options, UPDATE, "update", 2)
  local namespace, name = values.split(workload, 2)
  values.int32(options.priority, "priority", -2 ^ 31, 2)
  local active = options.active
  told(door.update(open(self), namespace, name, {
    priority = options.priority,
    active = active ~= nil and (active and values.ACTIVATE or values.DEACTIVATE) or nil,
    checkpointed = micros(options.checkpointed, 2),
    open_gates = options.open_gates and values.text(table.concat(options.open_gates, ","),
      "open_gates", 2),
    uid = values.optional(options.uid, "a uid", 2),
    counts = values.counts(options.counts, 2),
    reclaimable = values.counts(options.reclaimable, 2),
  }, micros(options.now, 2)))
end

--- Removes an object, "namespace/name" of what stands in a namespace; a workload is cancelled.
-- options: force (what names it waits for its return, and jobs go on uncharged), now.
function Engine:delete(kind, name, options)
  options = values.options(options, DELETE, "delete", 2)
  local namespace, rest = values.text(name, "a name", 2):match "^([^/]+)/(.+)$"
  told(door.delete(open(self), values.text(kind, "a kind", 2), namespace, rest or name,
    options.force or false, micros(options.now, 2)))
end

--- An admission check answers "pending", "ready", "retry" or "rejected". Returns the phase then.
function Engine:check(workload, check, state, message, now, uid)
  local namespace, name = values.split(workload, 2)
  return values.phases[told(door.check(open(self), namespace, name,
    values.optional(uid, "a uid", 2) or "", values.text(check, "a check", 2),
    values.one_of(values.check_states, state, "a check's state", 2),
    values.text(message or "", "a message", 2), micros(now, 2)))]
end

-- ---- time and decisions ----

--- Runs one cycle: number, at, at_rest, admitted, preempted, evicted, policy_failures, rolled_back.
function Engine:cycle(now)
  local cycle = told(door.run_cycle(open(self), micros(now, 2)))
  cycle.at = values.seconds(cycle.at)
  return cycle
end

--- Runs cycles until none decides anything more at this time.
function Engine:cycles(now)
  local ran = {}
  repeat
    ran[#ran + 1] = self:cycle(now)
  until ran[#ran].at_rest
  return ran
end

--- Does what is due without deciding.
function Engine:advance(now)
  told(door.advance(open(self), micros(now, 2)))
end

--- When the next time limit or backoff ends; nil when none runs.
function Engine:next_deadline()
  local at = told(door.next_deadline(open(self)))
  return at and values.seconds(at) or nil
end

--- Decisions are kept for `consumer` from now on, behind number `after`, or behind the newest. One
--- that is known stays where it is. Returns the number it has acknowledged, and the newest.
function Engine:register(consumer, options)
  options = values.options(options, REGISTER, "register", 2)
  local after = options.after == nil and -1 or values.number(options.after, "after", 2)
  values.text(consumer, "a consumer", 2)
  return told(door.register_consumer(open(self), consumer, after, micros(options.now, 2)))
end

--- `consumer` has acted on all decisions up to number `upto`. Returns what `register` does.
function Engine:acknowledge(consumer, upto, now)
  return told(door.acknowledge(open(self), values.text(consumer, "a consumer", 2),
    values.number(upto, "upto", 2), micros(now, 2)))
end

--- No decision is kept for `consumer` any more.
function Engine:remove(consumer, now)
  told(door.remove_consumer(open(self), values.text(consumer, "a consumer", 2), micros(now, 2)))
end

--- Decisions behind the cursor of `consumer`, or behind number `after`; at most `limit` (1000).
--- Where there is none yet, waits up to `wait` seconds for one, and blocks the whole Lua meanwhile;
--- 0 or less: it does not wait, math.huge: without end.
function Engine:decisions(options)
  options = values.options(options, DECISIONS, "decisions", 2)
  if (options.consumer == nil) == (options.after == nil) then
    error("decisions takes one of consumer and after", 2)
  end
  local limit = values.number(options.limit or 1000, "limit", 2)
  local wait = values.milliseconds(options.wait, "wait", 2)
  if options.consumer ~= nil then
    local consumer = values.text(options.consumer, "a consumer", 2)
    return values.decisions(told(door.decisions_of(open(self), consumer, limit, wait)))
  end
  local after = values.number(options.after, "after", 2)
  return values.decisions(told(door.decisions_after(open(self), after, limit, wait)))
end

--- What `consumer` has still to act on, until there is no more: for decision in
--- engine:hand_over("gateway") do ... end. A decision is acknowledged when the next one is asked
--- for, at time `now`: act on it inside the loop. What is left by break or an error comes again.
function Engine:hand_over(consumer, limit, now)
  values.text(consumer, "a consumer", 2)
  local waiting, at = {}, 0
  return function()
    if waiting[at] then
      self:acknowledge(consumer, waiting[at].number, now)
    end
    if at >= #waiting then
      waiting, at = self:decisions { consumer = consumer, limit = limit }, 0
    end
    at = at + 1
    return waiting[at]
  end
end

--- Ends all waiting for decisions now; for other threads of the process.
function Engine:wake()
  door.wake(open(self))
end

-- ---- ahead of the disk ----

--- From now on submit, finish, evicted, cancel, ready, evict, advance, acknowledge and cycle return
--- before what they did is on disk; one write of the disk stores several. All other calls
--- wait for those before, and decisions come when they are on disk. At most `in_flight` (8) calls
--- are ahead, and at least 1. For an engine with a ledger.
function Engine:start_pipeline(in_flight)
  values.int32(in_flight, "in_flight", 1, 2)
  told(door.pipeline_start(open(self), in_flight or 8))
end

--- Waits until all is on disk; from then on every call is when it returns.
function Engine:stop_pipeline()
  told(door.pipeline_stop(open(self)))
end

--- A number that stands behind every call that has returned.
function Engine:ticket()
  return told(door.pipeline_ticket(open(self)))
end

--- Waits until all before `ticket` is on disk, or without one, all.
function Engine:wait(ticket)
  local upto = ticket and values.number(ticket, "a ticket", 2)
  told(door.pipeline_wait(open(self), upto or self:ticket()))
end

--- Whether `wait` would return at once.
function Engine:stored(ticket)
  return told(door.pipeline_stored(open(self), values.number(ticket, "a ticket", 2)))
end

-- ---- reading ----

--- What `muster get KIND -o json` prints: a list of objects, or with options.name one.
--- options: name, namespace, states (a list), sort ("created").
function Engine:get(kind, options)
  options = values.options(options, GET, "get", 2)
  local states = options.states and table.concat(options.states, ",")
  local answer = values.decode(told(door.get(open(self), values.text(kind, "a kind", 2),
    values.optional(options.namespace, "namespace", 2), values.optional(options.name, "name", 2),
    values.optional(states, "states", 2), values.optional(options.sort, "sort", 2))))
  return options.name and answer or answer.items
end

--- Why the workload waits, as `muster explain -o json` has it.
function Engine:explain(workload)
  local namespace, name = values.split(workload, 2)
  return values.decode(told(door.explain(open(self), namespace, name)))
end

--- The objects of an admitted workload as they may run, and as patches, as `muster start-patch` has
--- them. `manifests`: the text that it was submitted from.
function Engine:start_patch(workload, manifests)
  local namespace, name = values.split(workload, 2)
  local text = values.long_text(manifests, "a manifest", 2)
  return values.decode(told(door.start_patch(open(self), namespace, name, text, "manifest")))
end

--- Tells the engine what the status of job objects says of their workloads; returns a table of
--- { kind, name, result } for each, results being finished, failed, evicted, reclaimed, ready,
--- "not ready", waits (of a pod group that has lost a pod), "cannot start" (it contradicts its
--- admission, and ends) and unchanged. Where one has no workload, nothing is told.
function Engine:observe(manifests, now)
  local text = values.long_text(manifests, "a manifest", 2)
  return values.decode(told(door.observe(open(self), text, "manifest", micros(now, 2)))).objects
end

--- "pending", "reserved", "admitted", "evicting", "inactive" or "finished".
function Engine:phase(workload)
  local namespace, name = values.split(workload, 2)
  return values.phases[told(door.phase(open(self), namespace, name))]
end

--- What the pods of a workload with quota get at start, for a program that makes them: of each
--- podset name, labels, annotations, nodeSelector and tolerations.
function Engine:pod_set_updates(workload)
  local namespace, name = values.split(workload, 2)
  return values.decode(told(door.pod_set_updates(open(self), namespace, name))).podSets
end

--- What one pod of each podset is charged for: a list of { name, requests }.
function Engine:pod_requests(workload)
  local namespace, name = values.split(workload, 2)
  return values.decode(told(door.pod_requests(open(self), namespace, name))).podSets
end

--- Raises what a call at this time would be refused for; changes nothing.
function Engine:check_time(now)
  told(door.check_time(open(self), micros(now, 2)))
end

--- When the newest thing happened that the ledger has; nil in a new one.
function Engine:last_time()
  local at = told(door.last_time(open(self)))
  return at and values.seconds(at) or nil
end

--- 32 hexadecimal digits over all that decides what the engine does next.
function Engine:state_hash()
  return told(door.state_hash(open(self)))
end

--- Looks at every invariant.
function Engine:check_invariants()
  told(door.check_invariants(open(self)))
end

-- ---- policies ----

--- Makes the package in `folder` the active generation. params: texts by name. options: by, why,
--- now.
function Engine:activate_policy(folder, params, options)
  options = values.options(options, POLICY, "activate_policy", 2)
  values.text(folder, "a folder", 2)
  local by, why = reasons(options)
  return values.decode(told(door.policy_activate(open(self), folder, values.params(params), by, why,
    micros(options.now, 2))))
end

--- Checks the package, runs its tests and tries its hooks on what the engine holds now; nothing
--- decides otherwise. Returns name, hash, description, hooks, and doubt: why its tests show
--- nothing, or "". params and options as for activate_policy.
function Engine:stage_policy(folder, params, options)
  options = values.options(options, POLICY, "stage_policy", 2)
  values.text(folder, "a folder", 2)
  local by, why = reasons(options)
  return values.decode(told(door.policy_stage(open(self), folder, values.params(params), by, why,
    micros(options.now, 2))))
end

--- Makes what was staged the active generation, as it was tried. `hash` is that of stage_policy.
function Engine:activate_staged(hash, options)
  options = values.options(options, POLICY, "activate_staged", 2)
  values.text(hash, "a hash", 2)
  local by, why = reasons(options)
  return values.decode(told(door.policy_activate_staged(open(self), hash, by, why,
    micros(options.now, 2))))
end

--- Undoes the newest activation; in memory, the newest of this engine.
function Engine:roll_back_policy(options)
  options = values.options(options, POLICY, "roll_back_policy", 2)
  local by, why = reasons(options)
  told(door.policy_roll_back(open(self), by, why, micros(options.now, 2)))
end

--- From now on cycles compare what the package would decide; nil ends that.
function Engine:shadow_policy(folder, params)
  values.optional(folder, "a folder", 2)
  told(door.policy_shadow(open(self), folder, values.params(params)))
end

--- What the comparison has found.
function Engine:shadow_report()
  return values.decode(told(door.policy_shadow_report(open(self))))
end

return Engine
