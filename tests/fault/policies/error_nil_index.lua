-- Looks into nil.
-- fails: index
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local t = {}
    return t.a.b --> here
  end,
}
