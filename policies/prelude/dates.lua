-- Dates and times in the form of ISO 8601, as seconds since the epoch: the calendar of Gregory,
-- which needs no clock and no zone files.
local dates = {}

local kDay = 86400
local kLengths = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 }
local kFirstYear, kLastYear = 1970, 9999

local function is_leap(year)
  return year % 4 == 0 and (year % 100 ~= 0 or year % 400 == 0)
end

-- Days from 1970-01-01 to a date. Years are counted from March, so that a leap day is the last.
function dates.days(year, month, day)
  if month <= 2 then year = year - 1 end
  local era = math.floor(year / 400)
  local of_era = year - era * 400
  local of_year = math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1
  return era * 146097 + of_era * 365 + math.floor(of_era / 4) - math.floor(of_era / 100) + of_year
    - 719468
end

-- Year, month, day and day of the year of so many days after 1970-01-01.
function dates.civil(days)
  local shifted = days + 719468
  local era = math.floor(shifted / 146097)
  local of_era = shifted - era * 146097
  local year = math.floor((of_era - math.floor(of_era / 1460) + math.floor(of_era / 36524)
    - math.floor(of_era / 146096)) / 365)
  local of_year = of_era - (365 * year + math.floor(year / 4) - math.floor(year / 100))
  local index = math.floor((5 * of_year + 2) / 153)
  local month = index < 10 and index + 3 or index - 9
  year = year + era * 400 + (month <= 2 and 1 or 0)
  return year, month, of_year - math.floor((153 * index + 2) / 5) + 1,
    days - dates.days(year, 1, 1) + 1
end

local function seconds_of_day(hour, minute, second)
  if hour > 23 or minute > 59 or second >= 60 then return nil end
  return hour * 3600 + minute * 60 + second
end

-- "Z", "+01:00" or "-0330" -> seconds east of Greenwich, or nil.
local function offset_of(zone)
  if zone == "Z" or zone == "z" then return 0 end
  local sign, hours, minutes = string.match(zone, "^([+-])(%d%d):?(%d%d)$")
  if not sign or tonumber(hours) > 14 or tonumber(minutes) > 59 then return nil end
  local offset = tonumber(hours) * 3600 + tonumber(minutes) * 60
  return sign == "-" and -offset or offset
end

-- "2026-12-01" (its first second in UTC), "2026-12-01T08:00Z" or "2026-12-01T08:00:00+01:00" ->
-- seconds since the epoch, or nil.
function dates.seconds(text)
  if type(text) ~= "string" or #text > 40 then return nil end
  local year, month, day, rest = string.match(text, "^(%d%d%d%d)%-(%d%d)%-(%d%d)(.*)$")
  if not year then return nil end
  year, month, day = tonumber(year), tonumber(month), tonumber(day)
  if year < kFirstYear or year > kLastYear or month < 1 or month > 12 or day < 1 then return nil end
  if day > kLengths[month] + (month == 2 and is_leap(year) and 1 or 0) then return nil end
  local midnight = dates.days(year, month, day) * kDay
  if rest == "" then return midnight end
  local hour, minute, after = string.match(rest, "^[Tt ](%d%d):(%d%d)(.*)$")
  if not hour then return nil end
  local second, zone = string.match(after, "^:(%d%d%.?%d*)(.*)$")
  local offset = offset_of(zone or after)
  local time = seconds_of_day(tonumber(hour), tonumber(minute), tonumber(second or "0"))
  if not offset or not time then return nil end
  return midnight + time - offset
end

return dates
