-- Lets busted run policy_spec.lua files without the engine:
--   busted --lua=luajit --helper=policies/testing/busted_shim.lua --pattern=_spec policies/NAME
-- It starts the same prelude the engine uses, so views are as strict and names as blocked as there;
-- only fuel is not counted, and tests that need a cluster are pending.
local ffi = require "ffi"

local function folder_of(path) return path:match("^(.*)/[^/]*$") or "." end
local here = folder_of(debug.getinfo(1, "S").source:sub(2))
local policies = folder_of(here)

local function read(path)
  local file = io.open(path, "rb")
  if not file then return nil end
  local text = file:read("*a")
  file:close()
  return text
end

local function declarations(path)
  return (read(path):match("/%* cdef begin %*/(.*)/%* cdef end %*/"))
end

ffi.cdef(declarations(policies .. "/../engine/include/muster/batch_abi.h"))
ffi.cdef(declarations(policies .. "/../bindings/luajit/call_frame.h"))
ffi.cdef "double pow(double, double);"
local fuel_type = ffi.metatype("muster_fuel", { __call = function() error("out of fuel", 0) end })

-- ---- the prelude, one for each generation ------------------------------------------------------

-- The string metatable is the process's here: busted needs its own again between calls.
local busted_strings = getmetatable("").__index
local function as_policy(strings, run, ...)
  getmetatable("").__index = strings
  local results = { pcall(run, ...) }
  getmetatable("").__index = busted_strings
  if not results[1] then error(results[2], 0) end
  return unpack(results, 2)
end

local function importer(host, folders)
  local loaded = {}
  local function import(name)
    if loaded[name] == nil then
      local chunk
      for _, folder in ipairs(folders) do
        chunk = chunk or loadfile(folder .. "/" .. name .. ".lua")
      end
      loaded[name] = assert(chunk, name)(import, host)
    end
    return loaded[name]
  end
  return import
end

-- hash xor (hash >> shift): LuaJIT 2.1's bit library takes 64 bits.
local function folded(hash, shift) return bit.bxor(hash, bit.rshift(hash, shift)) end
local function mixed(hash)
  hash = folded(hash, 30) * 0xbf58476d1ce4e5b9ULL
  return folded(folded(hash, 27) * 0x94d049bb133111ebULL, 31)
end

local function start()
  local all_on = setmetatable({ string_metatable = false },
    { __index = function() return true end })
  local host = { ffi = ffi, frame = ffi.new("muster_call"), fuel = fuel_type(2 ^ 30), on = all_on,
    operators = {}, frozen = {}, note_overflow = function() end,
    chunk = "@policy.lua", policy = "policy.lua" }
  function host.offset_at()
    require "busted.core"().pending("time zones need muster policy test")
  end
  host.frame.power = ffi.cast("double (*)(double, double)", ffi.C.pow)
  host.frame.hash = ffi.cast("double (*)(const char*, unsigned int)", function(text, size)
    local hash = 0xcbf29ce484222325ULL
    for i = 0, size - 1 do
      local byte = text[i] % 256
      hash = hash - hash % 256 + bit.bxor(tonumber(hash % 256), byte)
      hash = hash * 0x100000001b3ULL
    end
    return tonumber(mixed(hash) / 2048)
  end)
  host.frame.random = ffi.cast(
    "double (*)(const muster_call*, const char*, unsigned int, double, double)",
    function(_, stream, size, period, begin)
      local hash = 7 + (period > 0 and begin / 3600 + period or 0) % 1000003
      for i = 0, size + 2 do
        hash = (hash * 48271 + (i < size and stream[i] or 0)) % 2147483647
      end
      return hash / 2147483647
    end)
  return importer(host, { policies .. "/prelude" }), host
end

local any_zone = setmetatable({}, { __index = function() return 0 end })

-- ---- what the testing files ask of their host ---------------------------------------------------

local host = { ffi = ffi, on = {}, operators = {}, seed = tonumber(os.getenv("MUSTER_SEED")) or 1 }
local entered

-- The folder of the spec that is being read or run.
function host.here()
  for level = 2, 40 do
    local info = debug.getinfo(level, "S")
    if not info then return entered end
    if info.source:match("_spec%.lua$") then return folder_of(info.source:sub(2)) end
  end
  return entered
end
function host.enter(folder) entered = folder end

function host.load(texts)
  local folder = host.here()
  local import, frame_host = start()
  local main = import "main"
  local chunk = assert(loadstring(read(folder .. "/policy.lua"), "@policy.lua"))
  local strings = import("sandbox").libraries.string
  local description = as_policy(strings, main.load, chunk, texts, any_zone, {})
  for _, problem in ipairs(description.problems) do
    error(folder .. "/policy.lua: " .. problem.what .. "; " .. problem.cure, 0)
  end
  local hooks = setmetatable({}, { __index = function(_, hook) return description[hook] and 1 end })
  local accounts, account_labels = {}, {}
  local function note_label(by, label)
    if by == "label" then account_labels[#account_labels + 1] = label end
    if by == "user" then account_labels[#account_labels + 1] = "muster.dev/user" end
  end
  for i, account in ipairs(description.accounts) do
    accounts[i] = account.name
    note_label(account.by, account.label)
    for _, part in ipairs(account.also) do note_label(part[1], part[2]) end
  end
  return { labels = description.labels, accounts = accounts, account_labels = account_labels,
    name = description.name,
    hooks = hooks, version = 0,
    description = description, frame = frame_host.frame, strings = strings }
end

function host.ask(generation, hook, batch, _, out)
  local prepared, frame = generation.description[hook], generation.frame
  generation.version = generation.version + 1
  frame.batch, frame.keys, frame.resources_version = batch, out, generation.version
  local width = as_policy(generation.strings, prepared.rehearse)
  generation.hooks[hook] = width
  as_policy(generation.strings, prepared.bind(width))
  return prepared.reasons and prepared.reasons() or {}
end

function host.read_golden(name) return read(host.here() .. "/goldens/" .. name .. ".txt") end

-- What busted raises inside a test that is pending.
function host.skip(why) require "busted.core"().pending(why) end
function host.is_skip(problem)
  local meta = type(problem) == "table" and getmetatable(problem)
  return meta and meta.__type == "pending"
end

local import = importer(host, { here, policies .. "/prelude" })

local words = import "words" (function(level) return getfenv(level).it end)
for name, word in pairs(words) do _G[name] = word end

local luassert = require "luassert"
for name, check in pairs(import "checks") do
  luassert[name] = function(...)
    local problem = check(...)
    if problem then error(problem, 2) end
  end
end
