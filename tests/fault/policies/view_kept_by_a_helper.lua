-- A helper keeps a job.
-- refused: a view cannot be kept
local function keep(job)
  local kept = {}
  kept.job = job --> here
  return 1
end

return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    return keep(w)
  end,
}
