-- Calls a view.
-- fails: call
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local x = w
    return x() --> here
  end,
}
