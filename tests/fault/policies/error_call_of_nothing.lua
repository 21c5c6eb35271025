-- Calls a field there is not.
-- fails: attempt to call field 'missing' (a nil value)
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local t = {}
    return t.missing() --> here
  end,
}
