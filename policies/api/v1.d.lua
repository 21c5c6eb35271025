---@meta
-- Policy API, version 1: what a package may use. For editors, and the reference for people.
-- Times in seconds, cpu in cores, memory in bytes, devices counted.

---A job that waits. Reading an unknown field is an error.
---@class muster.Workload
---@field name string
---@field namespace string
---@field local_queue string
---@field cluster_queue string
---@field priority number # effective priority; in boost without what boosts add
---@field created number # when it was submitted, seconds since the epoch
---@field queued_at number # queue-order timestamp, seconds since the epoch
---@field pods number # over all podsets
---@field podsets number
---@field request table<string, number> # by resource; one that no queue covers is an error
---@field gpus number # sum over the resources whose name ends in "/gpu"
---@field attempts number # earlier quota reservations
---@field preemptions number # times it was preempted
---@field max_run number # maximumExecutionTimeSeconds; math.huge when unset
---@field expected_run number # seconds in label muster.dev/expected-run, else max_run
---@field label table<string, string> # the declared labels; "" when the job does not have it
---@field waited number # seconds since queued_at; needs reads = {"now"}
---@field account table<string, number> # the declared accounts; needs reads = {"account"}
---@field last_admitted number # when its LocalQueue last got quota, 0: never; needs "last_admitted"
---@field share number # dominant resource share of its ClusterQueue; needs reads = {"share"}
---@field usage table<string, number> # of its ClusterQueue, by resource; needs reads = {"usage"}

---A job in front of its queue in this cycle.
---@class muster.Entry: muster.Workload
---@field borrowing_level number # 0: within nominal quota; else the height of the cohort it needs

---A job that holds quota and may lose it.
---@class muster.Victim: muster.Workload
---@field reserved_at number # since when it holds quota, seconds since the epoch
---@field flavor table<string, string> # by resource; "" when it uses none
---@field uses table<string, number> # by resource: what it is charged
---@field borrowing boolean # its ClusterQueue is beyond nominal quota of something it uses
---@field same_queue boolean # it runs in the preemptor's ClusterQueue
---@field ran number # seconds since reserved_at; needs reads = {"now"}
---@field checkpointed number # when this run last saved its work, seconds since the epoch; 0: never
---@field lost_work number # seconds since then, else since reserved_at; needs reads = {"now"}

---A ClusterQueue or Cohort; in share also with a job added or removed on trial.
---@class muster.Node
---@field name string
---@field kind "ClusterQueue"|"Cohort"
---@field weight number # fair sharing
---@field depth number # 0: the root of its tree
---@field nominal table<string, number> # by resource, over all flavors
---@field usage table<string, number> # needs reads = {"usage"}
---@field borrowed table<string, number> # beyond what its subtree owns; needs reads = {"borrowed"}
---@field borrowed_ratio table<string, number> # in thousandths of lendable; needs "borrowed"
---@field lendable table<string, number> # the most its parent could use; needs reads = {"lendable"}
---@field native_share number # dominant resource share; needs reads = {"native_share"}
---@field account table<string, number> # those by clusterqueue; needs reads = {"account"}
---@field last_admitted number # when it last got quota, 0: never; needs reads = {"last_admitted"}

---A flavor that the job's ClusterQueue offers.
---@class muster.Flavor
---@field name string
---@field label table<string, string> # node labels, those declared in labels
---@field index number # in the declared order, from 0
---@field free table<string, number> # by resource: available to the queue now; needs "free"
---@field borrowing_level number # that the job would have; needs reads = {"borrowing_level"}

---A topology domain that has room for pods of the job: a host, a rack, a block.
---@class muster.Domain
---@field name string # its value of the level's label
---@field level string # label of its level, such as "kubernetes.io/hostname"
---@field depth number # of its level; 0: the highest
---@field label table<string, string> # declared labels that all its nodes have alike; "" otherwise
---@field hosts number # nodes in it
---@field total table<string, number> # by resource: what jobs may have in it
---@field gpus number # in it, summed over the resources whose name ends in "/gpu"
---@field room number # pods of the podset that fit now; needs reads = {"free"}
---@field free table<string, number> # by resource: what no job has; needs reads = {"free"}
---@field free_gpus number # of its gpus, those that no job has; needs reads = {"free"}
---@field placed table<string, number> # by declared label: pods of jobs with the job's key `per` on
---nodes where the label is as in d; needs reads = {"placed"}

---@class muster.Resources: table<number, string>
---@field count number

---@class muster.Context
---@field cycle number # number of the cycle, from 1
---@field params table<string, any> # the package's parameters
---@field queue muster.Node # whose jobs it is about; not in share and cycle_order
---@field resources muster.Resources # names of all resources, [1] to [count]
---@field now number # seconds since the epoch; needs reads = {"now"}
local context = {}

---A number in [0, 1): the same for the same stream in the same cycle; with `per` in the same hour,
---day or week of c.now (in UTC; weeks begin on Monday), or in the same "6h" since the epoch, which
---needs reads = {"now"}.
---@param stream string|number
---@param per? "cycle"|"hour"|"day"|"week"|string
---@return number
function context.rng(stream, per) end

---What clocks show in a zone. Reading an unknown field is an error.
---@class muster.LocalTime
---@field year integer
---@field month integer # 1 to 12
---@field day integer # of the month, from 1
---@field hour integer # 0 to 23
---@field minute integer
---@field weekday integer # 1: Monday, 7: Sunday
---@field yday integer # of the year, from 1

---c.now as clocks show it in a zone that the package declares in zones; needs reads = {"now"}.
---@param zone string # such as "Europe/Zurich"
---@return muster.LocalTime
function context.local_time(zone) end

---In submit: refuses the job, with a message for the user.
---@param message string
---@return table
function context.reject(message) end

---In hold: "not now", with a reason for people and until when, in seconds since the epoch, if that
---is known. What it gives must be returned.
---@param reason string # at most 200 bytes are kept
---@param until_? number # it is asked about again then; a time that is over holds nothing back
---@return muster.Held
function context.hold(reason, until_) end

---What c.hold gives.
---@class muster.Held

---What submit may return beside nothing (accept) and c.reject(message).
---@class muster.Submission
---@field priority? integer
---@field queue? string # another LocalQueue of its namespace
---@field labels? table<string, string> # added or replaced

---@alias muster.Submit fun(w: muster.Workload, c: muster.Context): muster.Submission?
---@alias muster.QueueOrder fun(w: muster.Workload, c: muster.Context): number, number?, number?
---@alias muster.CycleOrder fun(w: muster.Entry, c: muster.Context): number, number?, number?
---Larger is tried first; -math.huge: not this flavor now.
---@alias muster.FlavorOrder fun(w: muster.Workload, f: muster.Flavor, c: muster.Context): number
---Larger is taken first, among domains that are allowed alike.
---@alias muster.DomainOrder fun(d: muster.Domain, w: muster.Workload, c: muster.Context): number
---@alias muster.Share fun(n: muster.Node, c: muster.Context): number
---The cost; with `per` two more numbers: what the eviction spends of a budget, and what is left.
---@alias muster.Cost fun(v: muster.Victim, p: muster.Workload, c: muster.Context): number, ...
---@alias muster.Hold fun(w: muster.Workload, c: muster.Context): muster.Held?
---@alias muster.Boost fun(w: muster.Workload, c: muster.Context): integer?
---@alias muster.Limits fun(p: muster.Workload, c: muster.Context): number?, number?

---@class muster.Parameter
---@field type "number"|"integer"|"duration"|"date"|"boolean"|"string"|"enum"|"list"|"map"
---@field of? "string"|"number"|"integer"|"duration" # elements of a list or map, at most 256
---@field default any # of a date a text; the hook sees seconds since the epoch
---@field min? any
---@field max? any
---@field values? string[] # of an enum
---@field doc? string

---What the engine remembers for a package, kept by a key.
---@class muster.Account
---@field by "localqueue"|"clusterqueue"|"namespace"|"user"|string|string[] # or "label:NAME"; user:
---the label muster.dev/user
---@field of muster.AccountOf|string # "cpu": hours held; "preempted:cpu": that it destroyed;
---"lost:cpu"; "evicted:cpu": what evictions took; "held:cpu": what is held now
---@field where? table<string, string> # only jobs with all these labels, at most four
---@field half_life? string # "7d": decays continuously
---@field window? "calendar-day"|"week"|string # or "1d"

---@alias muster.AccountOf
---| "submitted" # counted; so are the next ones
---| "admitted"
---| "finished"
---| "failed"
---| "cancelled"
---| "evicted"
---| "running" # there are now
---| "pending"
---| "admissions" # as admitted, to a 64th of a window

---@class muster.VictimHook
---@field reads? string[]
---@field every? string
---@field per? string|string[] # the key of its budgets, as `by` of an account
---@field [1] muster.Cost

---@class muster.DomainHook
---@field reads? string[]
---@field every? string # c.now stands still between its multiples
---@field per? string|string[] # d.placed counts pods of jobs with the same key, as `by` of accounts
---@field [1] muster.DomainOrder

---What policy.lua returns.
---@class muster.Package
---@field api 1
---@field name string
---@field description? string
---@field labels? string[] # the only labels its views contain
---@field params? table<string, muster.Parameter>
---@field accounts? table<string, muster.Account> # at most eight
---@field zones? string[] # time zones for c.local_time, at most eight; written out, not computed
---@field on_error? "accept"|"reject" # what becomes of a job when submit fails
---@field submit? muster.Submit|{ reads: string[], [1]: muster.Submit }
---@field queue_order? muster.QueueOrder|{ reads: string[], every: string, [1]: muster.QueueOrder }
---@field cycle_order? muster.CycleOrder|{ reads: string[], [1]: muster.CycleOrder }
---@field victim? muster.Cost|muster.VictimHook
---@field preempt_limits? muster.Limits|{ reads: string[], every: string, [1]: muster.Limits }
---@field hold? muster.Hold|{ reads: string[], every: string, [1]: muster.Hold }
---@field boost? muster.Boost|{ reads: string[], every: string, [1]: muster.Boost }
---@field flavor_order? muster.FlavorOrder|{ reads: string[], [1]: muster.FlavorOrder }
---@field domain_order? muster.DomainOrder|muster.DomainHook
---@field share? muster.Share|{ reads: string[], [1]: muster.Share } # smaller deserves more

muster = {}

---x to the power y. The operator `^` is refused: it differs between interpreted and compiled code.
---@param x number
---@param y number
---@return number
function muster.pow(x, y) end

---x * x
---@param x number
---@return number
function muster.sq(x) end

---x, but at least low and at most high.
---@param x number
---@param low number
---@param high number
---@return number
function muster.clamp(x, low, high) end

---Whether this engine knows a hook ("victim") or a field of a view ("workload.max_run").
---@param name string
---@return boolean
function muster.has(name) end

---Whether s matches a pattern in which `*` stands for any text and `?` for one byte.
---@param s string
---@param pattern string
---@return boolean
function muster.glob(s, pattern) end

---The parts of s between separators; a text without one is one part. At most 1,000.
---@param s string
---@param separator string # not empty
---@return string[]
function muster.split(s, separator) end

---A whole number from 0 to 2^53 - 1 that depends on the text alone, in every version of Muster and
---on every machine: the upper 53 bits of its FNV-1a of 64 bits, mixed as SplitMix64 mixes.
---@param s string
---@return integer
function muster.hash(s) end

---Where part begins and ends in s, at init or behind it; nil: nowhere. Never a pattern.
---@param s string
---@param part string
---@param init? integer
---@param plain? true
---@return integer?, integer?
function string.find(s, part, init, plain) end

---Whether s contains part. Patterns are not available.
---@param s string
---@param part string
---@return boolean
function string.contains(s, part) end
