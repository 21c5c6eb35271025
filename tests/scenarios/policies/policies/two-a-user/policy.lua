-- A user gets quota for two jobs a day; large jobs wait for the night.
return {
  api = 1,
  name = "two-a-user",
  accounts = { today = { by = "user", of = "admissions", window = "calendar-day" } },
  hold = { reads = { "account", "now" }, every = "1m", function(w, c)
    if w.account.today >= 2 then return c.hold("two jobs a day") end
    local hour = math.floor(c.now % 86400 / 3600)
    if w.pods >= 3 and hour < 20 then
      return c.hold("large jobs start at 20:00", c.now - c.now % 86400 + 20 * 3600)
    end
    return nil
  end },
}
