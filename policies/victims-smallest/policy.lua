-- Evicts the smallest jobs first, so that big ones, which are hard to place, keep running.

local function size(v, resource)
  if resource == "" then return v.gpus end
  return v.uses[resource]
end

return {
  api = 1,
  name = "victims-smallest",
  description = "Evicts the smallest jobs first; big ones keep running.",

  params = {
    resource = {
      type = "string", default = "",
      doc = "resource that makes a job big, such as cpu; empty: all GPUs",
    },
  },

  victim = function(v, _, c)
    return size(v, c.params.resource)
  end,
}
