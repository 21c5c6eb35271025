-- Remembers in a table that is a key of another one.
-- fails: this table belongs to the file
local key = { n = 0 }
local seen = { [key] = 1 }
key = nil
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    return (function()
      for _, name in ipairs { 1 } do if name == 2 then return seen[name] end end
      local list = seen
      list.n = 1 --> here
      return 1
    end)()
  end,
}
