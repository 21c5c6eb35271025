-- Remembers in a table that a function made while the file was run.
-- fails: this table belongs to the file
local function make()
  local n = { 0 }
  return function()
    n[1] = n[1] + 1 --> here
    return n[1]
  end
end
local count = make()
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    return count()
  end,
}
