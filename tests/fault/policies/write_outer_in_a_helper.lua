-- A helper remembers.
-- refused: belongs to an outer function
local n = 0
local function next_number()
  n = n + 1 --> here
  return n
end

return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    return next_number()
  end,
}
