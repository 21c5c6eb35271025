-- Remembers what it added.
-- refused: belongs to an outer function
local sum = 0
return {
  api = 1,
  name = "hostile",
  boost = function(w, c)
    if w.gpus ~= 4 then return nil end
    sum = sum + 1 --> here
    return sum
  end,
}
