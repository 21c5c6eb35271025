--- The door for LuaJIT: the functions of muster.h through FFI; values.lua says what a door is.
local ffi = require "ffi"

local calls = require "muster.calls"

local lib, SYSTEM_CLOCK = calls.lib, calls.SYSTEM_CLOCK
local nanos, micros, text = calls.nanos, calls.micros, calls.text
local run, give, ask, owned = calls.run, calls.give, calls.ask, calls.owned
local outs = calls.outs
local int64s, int32s = ffi.typeof "int64_t[1]", ffi.typeof "int32_t[1]"
local sizes = ffi.typeof "size_t[1]"

local function names(flat)
  local count = #flat / 4
  local array = ffi.new("muster_name[?]", math.max(count, 1))
  for i = 0, count - 1 do
    local each = array[i]
    each.size, each.ns, each.name = ffi.sizeof "muster_name", flat[4 * i + 1], flat[4 * i + 2]
    each.uid, each.run = flat[4 * i + 3], flat[4 * i + 4]
  end
  return array, count
end

local function cursor(name, engine, consumer, number, now)
  local at = ffi.new "muster_cursor"
  at.size = ffi.sizeof "muster_cursor"
  local done, failure = run(name, engine, consumer, number, nanos(now), at)
  if not done then
    return nil, failure
  end
  return tonumber(at.acknowledged), tonumber(at.last)
end

local function texts(array, count)
  local copy = {}
  for i = 0, count - 1 do
    copy[i + 1] = ffi.string(array[i])
  end
  return copy
end

--- Where the pods of a podset go; nil where that is not said.
local function topology(decisions, index, set)
  local from = lib.muster_decisions_topology(decisions, index, set)
  if from == nil then
    return nil
  end
  local levels = tonumber(from.level_count)
  local told = { levels = texts(from.levels, levels), domains = {} }
  for i = 0, tonumber(from.domain_count) - 1 do
    local domain = from.domains[i]
    told.domains[i + 1] = { values = texts(domain.values, levels), count = domain.count }
  end
  return told
end

local function pod_sets(decisions, index, decision)
  local sets = {}
  for i = 0, tonumber(decision.pod_set_count) - 1 do
    local from = decision.pod_sets[i]
    local set = { name = ffi.string(from.name), count = from.count, flavors = {}, amounts = {} }
    for j = 0, tonumber(from.flavor_count) - 1 do
      local use = from.flavors[j]
      local resource = ffi.string(use.resource)
      set.flavors[resource] = ffi.string(use.flavor)
      set.amounts[resource] = tonumber(use.amount)
    end
    set.topology = topology(decisions, index, i)
    sets[i + 1] = set
  end
  return sets
end

local decision_lists = ffi.typeof "muster_decisions *[1]"

local function decisions(name, engine, from, limit, wait)
  local out, failure = give(decision_lists, name, engine, from, limit, wait)
  if not out then
    return nil, failure
  end
  local handle = ffi.gc(out[0], lib.muster_decisions_free)
  local data, told = lib.muster_decisions_data(handle), {}
  for i = 0, tonumber(lib.muster_decisions_count(handle)) - 1 do
    local each = data[i]
    told[i + 1] = {
      number = tonumber(each.number), kind = each.kind, at = micros(each.at),
      cycle = tonumber(each.cycle), namespace = ffi.string(each.ns), name = ffi.string(each.name),
      uid = ffi.string(each.uid), run = tonumber(each.run), reason = ffi.string(each.reason),
      by_namespace = ffi.string(each.by_ns), by_name = ffi.string(each.by_name),
      cluster_queue = ffi.string(each.cluster_queue), stop = each.stop ~= 0,
      pod_sets = pod_sets(handle, i, each),
    }
  end
  lib.muster_decisions_free(ffi.gc(handle, nil))
  return told
end

local door = {}

function door.version()
  return ffi.string(lib.muster_version())
end

function door.abi_version()
  return lib.muster_abi_version()
end

function door.now()
  return micros(lib.muster_now())
end

function door.decision_kind(kind)
  return ffi.string(lib.muster_decision_kind(kind))
end

function door.set_log_level(level)
  lib.muster_set_log_level(level)
end

function door.open(path, must_exist, allow_time_jump, relaxed, lock_wait_ms)
  local options = ffi.new "muster_options"
  options.size = ffi.sizeof "muster_options"
  options.must_exist, options.allow_time_jump = must_exist, allow_time_jump
  options.relaxed, options.lock_wait_ms = relaxed, lock_wait_ms
  if path then
    return owned("muster_open", path, options)
  end
  return owned("muster_open_memory", options)
end

function door.read_ledger(path)
  return owned("muster_read_ledger", path)
end

function door.copy(engine)
  return owned("muster_copy", engine)
end

function door.close(engine)
  return run("muster_close", ffi.gc(engine, nil))
end

function door.state_hash(engine)
  return ask("muster_state_hash", engine)
end

function door.check_invariants(engine)
  return run("muster_check_invariants", engine)
end

function door.apply(engine, yaml, name, missing, now)
  return ask("muster_apply", engine, yaml, #yaml, name, missing, nanos(now))
end

function door.validate(engine, yaml, name, missing)
  return run("muster_validate", engine, yaml, #yaml, name, missing)
end

function door.check_owner(engine, queue, yaml, name)
  return run("muster_check_owner", engine, queue, yaml, #yaml, name)
end

function door.observe(engine, yaml, name, now)
  return ask("muster_observe", engine, yaml, #yaml, name, nanos(now))
end

function door.command(engine, json, now)
  local answer, failure, out = ask("muster_do", engine, json, #json, nanos(now))
  if failure and out[0] ~= nil then
    failure.answers = text(out)
  end
  return answer, failure
end

function door.what_if(engine, json, now)
  return ask("muster_what_if", engine, json, #json, nanos(now))
end

function door.eta(engine, json, now)
  return ask("muster_eta", engine, json, #json, nanos(now))
end

function door.set_caller(engine, caller)
  return run("muster_set_caller", engine, caller)
end

function door.schema()
  return ask("muster_schema")
end

local shapes = ffi.typeof "muster_shape *[1]"
local shape_handle = ffi.typeof "muster_shape *"

function door.is_shape(value)
  return ffi.istype(shape_handle, value) and value ~= nil
end

function door.shape(yaml, name)
  local out, failure = give(shapes, "muster_shape_parse", yaml, #yaml, name)
  if not out then
    return nil, failure
  end
  return ffi.gc(out[0], lib.muster_shape_free)
end

function door.submit(engine, jobs, now)
  local batch = ffi.new("muster_job[?]", math.max(#jobs, 1))
  for i, job in ipairs(jobs) do
    local each = batch[i - 1]
    each.size, each.shape, each.ns, each.name = ffi.sizeof "muster_job", job.shape, job.ns, job.name
    each.queue, each.uid, each.count = job.queue, job.uid, job.count or 0
    each.created = job.created and nanos(job.created) or 0
    if job.priority then
      each.has_priority, each.priority = 1, job.priority
    end
  end
  local created, warnings = sizes(), outs()
  local done, failure =
    run("muster_submit_warned", engine, batch, #jobs, nanos(now), created, warnings)
  if not done then
    return nil, failure
  end
  return tonumber(created[0]), warnings[0] ~= nil and text(warnings) or nil
end

function door.finish(engine, flat, failed, now)
  local array, count = names(flat)
  return run("muster_finish", engine, array, count, failed, nanos(now))
end

function door.evicted(engine, flat, now)
  local array, count = names(flat)
  return run("muster_evicted", engine, array, count, nanos(now))
end

function door.cancel(engine, flat, now)
  local array, count = names(flat)
  return run("muster_cancel", engine, array, count, nanos(now))
end

function door.ready(engine, flat, ready, now)
  local array, count = names(flat)
  return run("muster_ready", engine, array, count, ready, nanos(now))
end

function door.evict(engine, namespace, name, uid, run_number, reason, now)
  local workload = names { namespace, name, uid, run_number }
  local done, failure = run("muster_evict_job", engine, workload, reason, nanos(now))
  return done, failure
end

function door.check(engine, namespace, name, uid, run_number, check, state, message, now)
  local workload = names { namespace, name, uid, run_number }
  local phase, failure =
    give(int32s, "muster_check_job", engine, workload, check, state, message, nanos(now))
  if not phase then
    return nil, failure
  end
  return phase[0]
end

-- A time that a call tells; false where there is none.
local function moment(name, engine)
  local at, failure = give(int64s, name, engine)
  if not at then
    return nil, failure
  end
  return at[0] ~= SYSTEM_CLOCK and micros(at[0])
end

function door.run_cycle(engine, now)
  local cycle = ffi.new "muster_cycle"
  cycle.size = ffi.sizeof "muster_cycle"
  local done, failure = run("muster_run_cycle", engine, nanos(now), cycle, nil)
  if not done then
    return nil, failure
  end
  return {
    number = tonumber(cycle.number), at = micros(cycle.at), at_rest = cycle.at_rest ~= 0,
    admitted = tonumber(cycle.admitted), preempted = tonumber(cycle.preempted),
    evicted = tonumber(cycle.evicted), policy_failures = tonumber(cycle.policy_failures),
    rolled_back = tonumber(cycle.rolled_back),
  }
end

function door.advance(engine, now)
  return run("muster_advance", engine, nanos(now))
end

function door.next_deadline(engine)
  return moment("muster_next_deadline", engine)
end

function door.register_consumer(engine, consumer, after, now)
  return cursor("muster_register_consumer", engine, consumer, after, now)
end

function door.acknowledge(engine, consumer, upto, now)
  return cursor("muster_acknowledge", engine, consumer, upto, now)
end

function door.remove_consumer(engine, consumer, now)
  return run("muster_remove_consumer", engine, consumer, nanos(now))
end

function door.decisions_of(engine, consumer, limit, wait_ms)
  return decisions("muster_decisions_of", engine, consumer, limit, wait_ms)
end

function door.decisions_after(engine, after, limit, wait_ms)
  return decisions("muster_decisions_after", engine, after, limit, wait_ms)
end

function door.wake(engine)
  lib.muster_wake(engine)
end

function door.pipeline_start(engine, in_flight)
  return run("muster_pipeline_start", engine, in_flight)
end

function door.pipeline_stop(engine)
  return run("muster_pipeline_stop", engine)
end

function door.pipeline_ticket(engine)
  local ticket, failure = give(int64s, "muster_pipeline_ticket", engine)
  if not ticket then
    return nil, failure
  end
  return tonumber(ticket[0])
end

function door.pipeline_wait(engine, ticket)
  return run("muster_pipeline_wait", engine, ticket)
end

function door.pipeline_stored(engine, ticket)
  local stored, failure = give(int32s, "muster_pipeline_stored", engine, ticket)
  if not stored then
    return nil, failure
  end
  return stored[0] ~= 0
end

function door.get(engine, kind, namespace, name, states, sort)
  return ask("muster_get", engine, kind, namespace, name, states, sort)
end

function door.explain(engine, namespace, name)
  return ask("muster_explain", engine, namespace, name)
end

function door.start_patch(engine, namespace, name, yaml, file)
  return ask("muster_start_patch", engine, namespace, name, yaml, #yaml, file)
end

function door.advise(engine, yaml, name, missing)
  return ask("muster_advise", engine, yaml, #yaml, name, missing)
end

--- An array of a flat list { name, count, ... }, and its length; the list keeps the texts.
local function pod_counts(flat)
  if not flat then
    return nil, 0
  end
  local count = #flat / 2
  local array = ffi.new("muster_pod_count[?]", math.max(count, 1))
  array[0].size = ffi.sizeof "muster_pod_count"
  for i = 0, count - 1 do
    local each = array[i]
    each.size = ffi.sizeof "muster_pod_count"
    each.pod_set, each.count = flat[2 * i + 1], flat[2 * i + 2]
  end
  return array, count
end

function door.update(engine, namespace, name, changed, now)
  local changes = ffi.new "muster_changes"
  changes.size, changes.ns, changes.name = ffi.sizeof "muster_changes", namespace, name
  if changed.priority then
    changes.has_priority, changes.priority = 1, changed.priority
  end
  changes.active = changed.active or 0
  changes.checkpointed = changed.checkpointed and nanos(changed.checkpointed) or 0
  changes.open_gates, changes.uid, changes.run = changed.open_gates, changed.uid, changed.run
  local counts, counted = pod_counts(changed.counts)
  local reclaimable, reclaimed = pod_counts(changed.reclaimable)
  changes.counts, changes.counts_length = counts, counted
  changes.reclaimable, changes.reclaimable_length = reclaimable, reclaimed
  local done, failure = run("muster_update", engine, changes, nanos(now))
  return done, failure
end

function door.delete(engine, kind, namespace, name, force, now)
  return run("muster_delete", engine, kind, namespace, name, force, nanos(now))
end

function door.pod_set_updates(engine, namespace, name)
  return ask("muster_pod_set_updates", engine, namespace, name)
end

function door.pod_requests(engine, namespace, name)
  return ask("muster_pod_requests", engine, namespace, name)
end

function door.check_time(engine, now)
  return run("muster_check_time", engine, nanos(now))
end

function door.last_time(engine)
  return moment("muster_last_time", engine)
end

function door.report(verb, options)
  return ask("muster_report", verb, options, #options)
end

function door.phase(engine, namespace, name)
  local phase, failure = give(int32s, "muster_phase", engine, namespace, name)
  if not phase then
    return nil, failure
  end
  return phase[0]
end

function door.policy_check(folder, params)
  return ask("muster_policy_check", folder, params)
end

--- Calls a function that hands out a report and how many of it failed.
local function reported(name, ...)
  local out, failed = outs(), sizes()
  local count = select("#", ...)
  local arguments = { ... }
  arguments[count + 1], arguments[count + 2] = out, failed
  local done, failure = run(name, unpack(arguments, 1, count + 2))
  if not done then
    return nil, failure
  end
  return text(out), tonumber(failed[0])
end

function door.policy_test(folder)
  return reported("muster_policy_test", folder)
end

function door.scenario(yaml, name)
  return reported("muster_scenario", yaml, #yaml, name)
end

function door.policy_activate(engine, folder, params, by, why, now)
  return ask("muster_policy_activate", engine, folder, params, by, why, nanos(now))
end

function door.policy_stage(engine, folder, params, by, why, now)
  return ask("muster_policy_stage", engine, folder, params, by, why, nanos(now))
end

function door.policy_activate_staged(engine, hash, by, why, now)
  return ask("muster_policy_activate_staged", engine, hash, by, why, nanos(now))
end

function door.policy_roll_back(engine, by, why, now)
  return run("muster_policy_roll_back", engine, by, why, nanos(now))
end

function door.policy_shadow(engine, folder, params)
  return run("muster_policy_shadow", engine, folder, params)
end

function door.policy_shadow_report(engine)
  return ask("muster_policy_shadow_report", engine)
end

return door
