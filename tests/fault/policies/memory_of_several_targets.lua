-- Assigns to several at once.
-- fails: this table belongs to the file
local seen = {}
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local mine, s = {}, seen
    mine.n, s.n = 1, 2 --> here
    return mine.n
  end,
}
