-- Names like the fuel counter are fields like others.
-- fails: no field 'left'
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    return w["le" .. "ft"] --> here
  end,
}
