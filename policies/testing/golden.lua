-- Goldens: a text that is compared with the one kept in goldens/NAME.txt beside the spec.
local import, host = ...
local values = import "values"

local golden = {}

local written = {}  -- in this run, by name

-- A list of names becomes one line each with its rank, so that a change shows which moved.
local function as_text(value)
  if type(value) == "string" then return value end
  if type(value) == "table" and type(value[1]) == "string" then
    local lines = {}
    for i, name in ipairs(value) do lines[i] = string.format("%3d %s", i, name) end
    return table.concat(lines, "\n") .. "\n"
  end
  return values.text(value) .. "\n"
end

local function lines_of(text)
  local lines = {}
  for line in string.gmatch(text, "[^\n]+") do lines[#lines + 1] = line end
  return lines
end

function golden.check(name, value)
  if type(name) ~= "string" then
    error('write golden("name", value), a text or a list, instead of ' .. values.text(name), 0)
  end
  if not string.match(name, "^[%w_-]+$") then
    error("golden: a name has letters, digits, - and _ only", 0)
  end
  local got, kept = as_text(value), host.read_golden(name)
  if host.update or kept == got then host.asserted = true end
  if host.update then
    if (written[name] or got) ~= got then
      error("golden " .. values.text(name) .. " had another value before; each needs its own name",
        0)
    end
    written[name] = got
    return host.write_golden(name, got)
  end
  if kept == nil then
    error("there is no goldens/" .. name .. ".txt yet; muster policy test --update writes it", 0)
  end
  if kept == got then return end
  local before, now, report = lines_of(kept), lines_of(got), {}
  for i = 1, math.max(#before, #now) do
    if before[i] ~= now[i] then
      if before[i] then report[#report + 1] = "  - " .. before[i] end
      if now[i] then report[#report + 1] = "  + " .. now[i] end
    end
  end
  error("goldens/" .. name .. ".txt says something else; muster policy test --update takes\n"
    .. table.concat(report, "\n"), 0)
end

return golden
