-- The environment of a newer Lua.
-- refused: undefined name '_ENV'
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    return _ENV.os and 1 or 2 --> here
  end,
}
