-- Makes a parameter longer.
-- fails: cannot be changed
return {
  api = 1,
  name = "hostile",
  params = { names = { type = "list", of = "string", default = { "a" } } },
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    table.insert(c.params.names, w.name) --> here
    return 1
  end,
}
