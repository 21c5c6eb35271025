-- What the host names otherwise.
-- fails: no field 'namespace_'
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local hidden = "namespace" .. "_"
    return #w[hidden] --> here
  end,
}
