--- Calls of libmuster through LuaJIT's FFI: finds the library, and turns what it hands out into
--- plain values. ffi.lua is the door that is made of them.
local ffi = require "ffi"

local ABI_VERSION = 5

if not ffi.abi "64bit" then
  error "Muster is made for 64 bits, and this LuaJIT has 32; run it with one of 64 bits"
end
ffi.cdef(require "muster.cdef")
-- A name without a folder is looked for as the system does.
local lib = ffi.load(os.getenv "MUSTER_LIBRARY" or "libmuster.so.1")
if lib.muster_abi_version() < ABI_VERSION then
  error(("libmuster speaks version %d of its interface, and this module needs %d; install a newer "
    .. "library"):format(lib.muster_abi_version(), ABI_VERSION))
end

local int64 = ffi.typeof "int64_t"
local SYSTEM_CLOCK = -0x7fffffffffffffffLL - 1

local function nanos(micros)
  return micros and ffi.cast(int64, micros) * 1000 or SYSTEM_CLOCK
end

--- Whole microseconds, rounded down.
local function micros(nanoseconds)
  return math.floor(tonumber(nanoseconds / 1000))
end

--- What a refused call says; frees the error.
local function refusal(code, out)
  local failure = { code = ffi.string(lib.muster_code_name(code)), message = "", mistakes = {} }
  local err = out[0]
  if err ~= nil then
    failure.message = ffi.string(lib.muster_error_message(err))
    for i = 0, tonumber(lib.muster_error_count(err)) - 1 do
      failure.mistakes[i + 1] = {
        place = ffi.string(lib.muster_error_place(err, i)),
        what = ffi.string(lib.muster_error_what(err, i)),
        cure = ffi.string(lib.muster_error_cure(err, i)),
      }
    end
    lib.muster_error_free(err)
  end
  return failure
end

--- The text of bytes that were handed out; frees them.
local function text(out)
  local bytes = out[0]
  local copy = ffi.string(lib.muster_bytes_data(bytes), lib.muster_bytes_size(bytes))
  lib.muster_bytes_free(bytes)
  return copy
end

local errors = ffi.typeof "muster_error *[1]"
local outs = ffi.typeof "muster_bytes *[1]"
local engines = ffi.typeof "muster_engine *[1]"

--- Calls a function that hands out nothing.
local function run(name, ...)
  local err = errors()
  -- The error stands behind what the function takes, which may end with nil.
  local count = select("#", ...)
  local arguments = { ... }
  arguments[count + 1] = err
  local code = lib[name](unpack(arguments, 1, count + 1))
  if code ~= 0 then
    return nil, refusal(code, err)
  end
  return true
end

--- Calls a function that hands out something behind what it takes. Returns the place, made by
--- `place`, where it stands; it comes behind the failure, too.
local function give(place, name, ...)
  local out = place()
  local count = select("#", ...)
  local arguments = { ... }
  arguments[count + 1] = out
  local done, failure = run(name, unpack(arguments, 1, count + 1))
  if not done then
    return nil, failure, out
  end
  return out
end

--- The same of bytes; returns their text.
local function ask(name, ...)
  local out, failure, refused = give(outs, name, ...)
  if not out then
    return nil, failure, refused
  end
  return text(out)
end

--- The same of an engine, which is closed when nothing holds it.
local function owned(name, ...)
  local out, failure = give(engines, name, ...)
  if not out then
    return nil, failure
  end
  return ffi.gc(out[0], function(engine)
    lib.muster_close(engine, nil)
  end)
end

return {
  lib = lib, SYSTEM_CLOCK = SYSTEM_CLOCK, nanos = nanos, micros = micros, text = text, run = run,
  give = give, ask = ask, owned = owned, outs = outs,
}
