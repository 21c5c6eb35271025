-- busted's describe, it, before_each and friends, for specs that run inside Muster. Files are read
-- first, then every test runs with what surrounds it; results go to host.report one by one.
local import, host = ...
local values = import "values"

-- Those of the host: a limit that a spec exceeded does not end what reports it.
local find, match, gmatch, gsub = string.find, string.match, string.gmatch, string.gsub

local specs = {}

local kPending = {}  -- what a test raises to say that it is not written yet

local kAssertsNothing = "asserts nothing; write assert.same(expected, actual), another assert or "
  .. "golden(name, value), or pending() while it is not written"

local function new_block(name, parent)
  return { name = name, parent = parent, items = {}, before_each = {}, after_each = {}, setup = {},
    teardown = {} }
end

local current

-- Tests are described while a file is read; `word` in one that runs would describe nothing.
function host.describing(word)
  if current then return end
  error(word .. " describes a test of its own and cannot stand inside of one; write it beside "
    .. "`it`, in the file or in describe", 0)
end

-- Line of the innermost frame that is in a spec, 0 for none.
local function spec_line()
  for level = 2, 60 do
    local info = debug.getinfo(level, "Sl")
    if not info then return 0 end
    local is_spec = string.sub(info.source, 1, 1) == "@"
    if is_spec and info.currentline > 0 then return info.currentline end
  end
  return 0
end

local function full_name(block, name)
  while block and block.name do
    name, block = block.name .. " " .. name, block.parent
  end
  return name
end

-- Runs `fn`; nil, or the problem with the line of the spec where it came up.
local function attempt(fn, ...)
  local line = 0
  local ok, problem = xpcall(fn, function(raised)
    line = spec_line()
    return raised
  end, ...)
  if ok then return nil end
  if problem == kPending or type(problem) == "table" and problem.pending then return problem end
  local _, text = pcall(values.text, problem)
  if type(problem) == "string" then text = problem end
  local limit = host.exceeded()
  if limit then text = limit .. (host.found and "; before that: " .. host.found or "") end
  local at, rest = match(text, "^[^\n:]*_spec%.lua:(%d+): (.*)$")
  if at then line, text = tonumber(at), rest end
  text = gsub(gsub(text, "^testing:%d+: ", ""), "^runner:%d+: ", "")
  return { line = line, text = text }
end

local function run_all(list, block, outermost_first)
  local chain = {}
  while block do
    table.insert(chain, outermost_first and 1 or #chain + 1, block)
    block = block.parent
  end
  for _, each in ipairs(chain) do
    for _, fn in ipairs(each[list]) do
      local problem = attempt(fn)
      if problem then return problem end
    end
  end
end

local function selected(name, options)
  if options.filter ~= "" and not find(name, options.filter, 1, true) then return false end
  for tag in gmatch(options.tags, "[^,]+") do
    if not find(name .. " ", "#" .. tag .. "[%s,]") then return false end
  end
  return true
end

local function report(test, verdict, problem, started)
  host.report(full_name(test.block, test.name), test.file, problem and problem.line > 0
    and problem.line or test.line, verdict, problem and problem.text or "", host.clock() - started)
end

local function run_test(test)
  local started = host.clock()
  if not test.fn then return report(test, "pending", nil, started) end
  host.found, host.asserted = nil, false
  local over = host.begin_test()
  if over then
    report(test, "failed", { line = 0, text = over }, started)
    return false, true
  end
  local problem = run_all("before_each", test.block, true) or attempt(test.fn)
  local after = run_all("after_each", test.block, false)
  problem = problem or after
  if not problem and not host.asserted then problem = { line = 0, text = kAssertsNothing } end
  if problem and problem.pending then
    report(test, "pending", { line = 0, text = problem.pending }, started)
  else
    report(test, problem and "failed" or "passed", problem, started)
  end
  return problem ~= nil and not problem.pending
end

local function run_block(block, options)
  local function failed(problem)
    report({ name = block.name or "file", block = block.parent, file = block.file, line = 0 },
      "failed", problem, host.clock())
  end
  for _, fn in ipairs(block.setup) do
    host.begin_test()
    local problem = attempt(fn)
    if problem then return failed(problem) end
  end
  for _, item in ipairs(block.items) do
    if item.items then
      if run_block(item, options) then return true end
    elseif selected(full_name(item.block, item.name), options) then
      local failed_test, over = run_test(item)
      if over or failed_test and options.stop then return true end
    end
  end
  for _, fn in ipairs(block.teardown) do
    host.begin_test()
    local problem = attempt(fn)
    if problem then return failed(problem) end
  end
end

local function check_form(word, name, fn)
  if type(name) == "string" and type(fn) == "function" then return end
  error("write " .. word .. '("name", function() ... end)', 0)
end

-- The words that describe tests; they are valid while a file is read.
function specs.words()
  local words = {}
  function words.describe(name, fn)
    host.describing("describe")
    check_form("describe", name, fn)
    local block = new_block(name, current)
    block.file = current.file
    table.insert(current.items, block)
    current = block
    fn()
    current = block.parent
  end
  function words.it(name, fn)
    host.describing("it")
    check_form("it", name, fn or check_form)
    table.insert(current.items, { name = name, fn = fn, block = current, file = current.file,
      line = spec_line() })
  end
  -- Inside a test it ends the test; elsewhere it describes one that is not written yet.
  function words.pending(name)
    if current then return words.it(name, nil) end
    error({ pending = name or "not written yet" }, 0)
  end
  for word, list in pairs { before_each = "before_each", after_each = "after_each",
      setup = "setup", teardown = "teardown", lazy_setup = "setup", lazy_teardown = "teardown",
      strict_setup = "setup", strict_teardown = "teardown" } do
    words[word] = function(fn)
      host.describing(word)
      table.insert(current[list], fn)
    end
  end
  words.context, words.insulate, words.expose = words.describe, words.describe, words.describe
  words.test, words.spec = words.it, words.it
  return words
end

-- Reads the spec `chunk` of `file` and runs it.
function specs.run(file, chunk, options)
  current = new_block(nil, nil)
  current.file = file
  local root = current
  local problem = attempt(chunk)
  current = nil
  if problem then
    host.report(file, file, problem.line, "failed", problem.text, 0)
    return
  end
  run_block(root, options)
end

return specs
