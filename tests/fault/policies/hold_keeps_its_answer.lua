-- Keeps the answer of c.hold for the next job.
-- refused: belongs to an outer function
local kept
return {
  api = 1,
  name = "hostile",
  hold = function(w, c)
    if w.gpus ~= 4 then return nil end
    kept = kept or c.hold("once") --> here
    return kept
  end,
}
