-- A resource that no queue covers.
-- fails: no queue covers resource 'cpus'; did you mean 'cpu'?
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    return w.request.cpus --> here
  end,
}
