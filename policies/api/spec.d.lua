---@meta
-- The words of a policy_spec.lua beyond those of busted. For editors; policies/README.md explains.

---@class muster.Handle
local handle = {}
---@param jobs table[] # from fx.workload
---@return string[] # names, in the order they would be served
function handle:order(jobs) end
---@return number[][] # the keys of each
function handle:keys(jobs) end
---@return string[] # first jobs of several queues, by cycle_order
function handle:heads(jobs) end
---@param nodes table[] # from fx.node
---@return number[]
function handle:shares(nodes) end
---@return string[] # the one that deserves most first
function handle:fairest(nodes) end
---@return number[] # math.huge: protected
function handle:costs(preemptor, victims) end
---@return string[] # the cheapest first, without the protected
function handle:cheapest(preemptor, victims) end
---@return number[] # most victims, most cost
function handle:limits(preemptor) end
---@return string[] # in the order they would be tried, without those that are not for it now
function handle:flavors(job, flavors) end
---@return string[] # the one that is wanted most first
function handle:domains(job, domains) end
---@return number[] # in the order of the domains
function handle:scores(job, domains) end
---@return integer[] # what is added to the priority of each
function handle:boosts(jobs) end
---@return (string|false)[], (number|false)[] # reasons, and until when in seconds after fixtures
function handle:holds(jobs) end
---@param time string|number # "2d" or seconds after the time of all fixtures
---@return muster.Handle
function handle:at(time) end
---@param number integer # from 1; another cycle draws other numbers from c.rng
---@return muster.Handle
function handle:in_cycle(number) end

---@class muster.Cycle
---@field admitted string[]
---@field preempted string[]
---@field pending string[]
---@field by table<string, string> # victim -> preemptor

---@class muster.Cluster
local cluster = {}
---@return muster.Cycle
function cluster:cycle() end
---@return muster.Cycle # of all cycles until nothing changes, evictions carried out
function cluster:settle() end
function cluster:submit(jobs) end
---@param ... string # names of jobs that end
function cluster:finish(...) end
function cluster:evicted() end
---@param time string|number
function cluster:advance(time) end
---@return string[]
function cluster:running() end
---@return string[]
function cluster:waiting() end

---@class muster.Fixtures
---@field now number
fx = {}
---@param params? table<string, any>
---@return muster.Handle
function fx.policy(params) end
function fx.workload(fields) end
function fx.victim(fields) end
function fx.node(fields) end
function fx.flavor(fields) end
function fx.domain(fields) end
---@return muster.Cluster
function fx.cluster(fields) end
---@param options { scene: "queue"|"teams"|"preemption", params?: table, label?: table }
---@return string # a table in Markdown
function fx.flood(options) end

---@param list table[] # { name =, given =, expect =, params = }
---@param check? fun(case: table)
function cases(list, check) end
---@param name string
---@param ... any # generators, then a function that takes a value of each
function prop(name, ...) end
---@param name string # of the file goldens/NAME.txt
function golden(name, value) end

---@class muster.Generator
---Random values for prop; each shrinks towards the simplest.
gen = {}
---@return muster.Generator # whole numbers, towards the lower
function gen.int(low, high) end
---@return muster.Generator
function gen.number(low, high) end
---@return muster.Generator
function gen.boolean() end
---@return muster.Generator # one of them; the first is the simplest
function gen.pick(list) end
---@param size { [1]: integer, [2]: integer }
---@return muster.Generator
function gen.list(item, size) end
---@param fields? table # fields of the fixture: values or generators
---@return muster.Generator
function gen.workload(fields) end
---@return muster.Generator
function gen.victim(fields) end
---@return muster.Generator
function gen.node(fields) end
---@param options? table # n = { fewest, most }, and fields as in gen.workload
---@return muster.Generator
function gen.workloads(options) end
---@return muster.Generator
function gen.victims(options) end
---@return muster.Generator
function gen.nodes(options) end
---@return fun(): number # the same numbers for the same seed
function gen.random(seed) end

---Each defines one test; options: params, cases, seed, label.
laws = {}
function laws.order_is_total(options) end
function laws.priority_first(options) end
---@param options? { after: string }
function laws.no_starvation(options) end
---@param options { when: fun(v: table, p: table): boolean }
function laws.protected_is_never_a_victim(options) end
function laws.no_flapping(options) end

---(a, b) or (policy, a, b): a is served before b.
function assert.ranks_before(...) end
---(cluster, "a", "b"): the next cycle starts exactly these.
function assert.admits(...) end
---(cluster, "a", "b"): the next cycle evicts exactly these.
function assert.preempts_exactly(...) end
---(job), (job, "part of the reason") or (policy, job, ...): hold holds it back.
function assert.holds(...) end
---(cluster, "a"), (preemptor, victim) or (policy, preemptor, victim): never evicted.
function assert.protects(...) end
