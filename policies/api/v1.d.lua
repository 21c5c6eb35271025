---@meta
-- Policy API, version 1: what a package may use. For editors, and the reference for people.
-- Times in seconds, cpu in cores, memory in bytes, devices counted.

---A job that waits. Reading an unknown field is an error.
---@class muster.Workload
---@field name string
---@field namespace string
---@field local_queue string
---@field cluster_queue string
---@field priority number # effective priority
---@field created number # when it was submitted, seconds since the epoch
---@field queued_at number # queue-order timestamp, seconds since the epoch
---@field pods number # over all podsets
---@field podsets number
---@field request table<string, number> # by resource; one that no queue covers is an error
---@field gpus number # sum over the resources whose name ends in "/gpu"
---@field attempts number # earlier quota reservations
---@field preemptions number # times it was preempted
---@field max_run number # maximumExecutionTimeSeconds; math.huge when unset
---@field label table<string, string> # the declared labels; "" when the job does not have it
---@field waited number # seconds since queued_at; needs reads = {"now"}

---@class muster.Queue
---@field name string

---@class muster.Context
---@field cycle number # number of the cycle, from 1
---@field params table<string, any> # the package's parameters
---@field queue muster.Queue # the ClusterQueue whose jobs are ordered
---@field now number # seconds since the epoch; needs reads = {"now"}
local context = {}

---A number in [0, 1): the same for the same stream in the same cycle.
---@param stream string|number
---@return number
function context.rng(stream) end

---@alias muster.QueueOrder fun(w: muster.Workload, c: muster.Context): number, number?, number?

---@class muster.Parameter
---@field type "number"|"integer"|"duration"|"boolean"|"string"|"enum"
---@field default any
---@field min? any
---@field max? any
---@field values? string[] # of an enum
---@field doc? string

---What policy.lua returns.
---@class muster.Package
---@field api 1
---@field name string
---@field description? string
---@field labels? string[] # the only labels its views contain
---@field params? table<string, muster.Parameter>
---@field queue_order? muster.QueueOrder|{ reads: string[], every: string, [1]: muster.QueueOrder }

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

---Whether s contains part. Patterns are not available.
---@param s string
---@param part string
---@return boolean
function string.contains(s, part) end
