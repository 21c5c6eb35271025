-- Keeps a domain for later.
-- refused: belongs to an outer function
local kept

return {
  api = 1,
  name = "hostile",
  domain_order = function(d, w, c)
    if w.gpus ~= 4 then return 1 end
    kept = d --> here
    return 1
  end,
}
