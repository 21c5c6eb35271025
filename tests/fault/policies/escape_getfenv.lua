-- The environment of the host.
-- refused: blocked function: getfenv
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    return getfenv(0).os and 1 or 2 --> here
  end,
}
