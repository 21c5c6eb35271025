-- The world a policy runs in. It starts from nothing: what libraries.lua lists is put in, every
-- other name is an error that says so. Nothing in it can be written to, so nothing is remembered.
local import, host = ...
local names = import "names"
local libraries = import "libraries"
local fail, on = names.fail, host.on

local sandbox = { libraries = libraries }

-- An empty table in front of `contents`: reads go through, unknown keys go to `missing`, and every
-- write is refused, also one to a key that exists.
local function locked(contents, missing, title)
  setmetatable(contents, { __index = missing, __metatable = false })
  if not on.locked_tables then return contents end
  return setmetatable({}, {
    __index = contents,
    __newindex = function(_, key)
      fail(title .. " cannot be changed: " .. names.quoted(key),
        title == "_G" and "write `local` in front" or "use a local table")
    end,
    __metatable = false,
  })
end
sandbox.locked = locked

local globals = {}
for name, value in pairs(libraries.base) do globals[name] = value end
for _, library in ipairs { "bit", "math", "muster", "string", "table" } do
  local contents = libraries[library]
  if not on.library_copies and _G[library] then contents = _G[library] end
  globals[library] = locked(contents, function(_, key)
    fail(names.library_problem(library, key, contents))
  end, library)
end

-- The names a policy may use: library -> function, "_G" for globals.
sandbox.known = { _G = {} }
for name in pairs(globals) do sandbox.known._G[name] = true end
for _, library in ipairs { "bit", "math", "muster", "string", "table" } do
  sandbox.known[library] = {}
  for name in pairs(libraries[library]) do sandbox.known[library][name] = true end
end

-- A blocked library is there to say so about each of its functions.
for _, library in ipairs { "coroutine", "debug", "ffi", "io", "jit", "os", "package" } do
  globals[library] = locked({}, function(_, key)
    fail(names.library_problem(library, key, nil))
  end, library)
end

sandbox.env = locked(globals, function(_, key)
  if not on.allow_list and _G[key] ~= nil then return _G[key] end
  fail(names.global_problem(key, sandbox.known._G))
end, "_G")
if not on.allow_list then
  for library in pairs { coroutine = 1, debug = 1, io = 1, jit = 1, os = 1, package = 1 } do
    globals[library] = _G[library]
  end
end

-- Strings carry a metatable of their own: without it ("").gsub is the host's.
if on.string_metatable then
  debug.setmetatable("", { __index = libraries.string, __metatable = false })
end

return sandbox
