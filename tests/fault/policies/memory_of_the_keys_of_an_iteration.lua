-- Changes the keys that the next iteration will see.
-- fails: this table belongs to the file
local seen = { a = 1 }
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local _, state = pairs(seen)
    local keys = state[2]
    keys[1] = "b" --> here
    return 1
  end,
}
