-- A parameter that was never declared.
-- fails: no parameter 'x'
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    return c.params["x" .. ""] --> here
  end,
}
