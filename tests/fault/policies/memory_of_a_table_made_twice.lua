-- A fresh table that its variable does not hold any more.
-- fails: this table belongs to the file
local seen = {}
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local t = {}
    t.n = 1
    t = seen
    t.n = 1 --> here
    return 1
  end,
}
