-- Puts the file's list in the order of this job.
-- fails: this table belongs to the file
local seen = { 3, 2, 1 }
local order = table.sort
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local s = seen
    order(s) --> here
    return s[1]
  end,
}
