-- Counts what it let through.
-- refused: belongs to an outer function
local let = 0
return {
  api = 1,
  name = "hostile",
  hold = function(w, c)
    if w.gpus ~= 4 then return nil end
    let = let + 1 --> here
    if let > 3 then return c.hold("enough") end
    return nil
  end,
}
