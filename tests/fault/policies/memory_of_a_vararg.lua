-- Remembers in what came as an argument without a name.
-- fails: this table belongs to the file
local seen = {}
local function note(...)
  local t = select(1, ...)
  t.n = (t.n or 0) + 1 --> here
  return t.n
end
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    return note(seen)
  end,
}
