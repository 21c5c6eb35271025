-- Remembers through a second name of a table.
-- fails: this table belongs to the file
local seen = { n = 0 }
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local s = seen
    s.n = s.n + 1 --> here
    return s.n
  end,
}
