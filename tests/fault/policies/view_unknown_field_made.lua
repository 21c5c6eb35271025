-- A field whose name is made at run time.
-- fails: no field 'prio'
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    return w["pr" .. "io"] --> here
  end,
}
