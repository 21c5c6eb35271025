-- One job may take everything, once: it goes first, evicts as many as it needs, and is spared.

local function is_hero(w) return w.label.hero == "true" end

return {
  api = 1,
  name = "hero",
  description = "A job labelled hero = true goes first on its first start; others evict little.",
  labels = { "hero" },

  params = {
    most = {
      type = "integer", default = 2, min = 0, max = 100000,
      doc = "evictions that a job may cause that is no hero",
    },
  },

  -- A hero that has held quota before, and lost it, queues like any other job.
  queue_order = function(w)
    local first = is_hero(w) and w.attempts == 0
    return first and 1 or 0, w.priority, -w.queued_at
  end,

  -- Heroes are spared; among the others the engine's own order stays.
  victim = function(v)
    return is_hero(v) and math.huge or 0
  end,

  preempt_limits = function(p, c)
    if is_hero(p) and p.attempts == 0 then return nil end
    return c.params.most
  end,
}
