-- Through many layers of _G.
-- refused: blocked function: _G
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local g = _G._G._G --> here
    local d = g[w.pods > 0 and "debug" or "math"]
    return d.getregistry() and 1 or 2
  end,
}
