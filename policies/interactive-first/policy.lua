-- Interactive jobs first, a few of each user at a time; teams sink by what they used lately.

local function goes_first(w, c)
  return w.label.kind == "interactive" and w.gpus <= c.params.gpus
end

return {
  api = 1,
  name = "interactive-first",
  description = "Small interactive jobs first, a few per user; then the team that used least.",
  labels = { "team", "kind" },

  params = {
    most = {
      type = "integer", default = 3, min = 1, max = 1000,
      doc = "interactive jobs that one user has running at a time",
    },
    gpus = {
      type = "number", default = 2, min = 0, max = 64,
      doc = "a job of more GPUs waits like any other",
    },
  },

  accounts = {
    used = { by = "label:team", of = "nvidia.com/gpu", window = "7d" },
    interactive = { by = "user", of = "running", where = { kind = "interactive" } },
  },

  hold = { reads = { "account" }, function(w, c)
    if not goes_first(w, c) or w.account.interactive < c.params.most then return nil end
    return c.hold("its user has " .. c.params.most .. " interactive jobs running")
  end },

  queue_order = { reads = { "account" }, function(w, c)
    local first = goes_first(w, c) and 1 or 0  -- equivalent: anything above 0
    return first, -w.account.used, -w.queued_at
  end },
}
