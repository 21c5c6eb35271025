-- Remembers deep inside, under a key that is made.
-- fails: this table belongs to the file
local seen = { a = { b = { } } }
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local deep = seen["a"]["b"]
    deep[1] = (deep[1] or 0) + 1 --> here
    return deep[1]
  end,
}
