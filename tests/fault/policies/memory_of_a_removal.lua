-- Takes one away each time.
-- fails: this table belongs to the file
local seen = { 1, 2, 3 }
local take = table.remove
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local s = seen
    return take(s) or 0 --> here
  end,
}
