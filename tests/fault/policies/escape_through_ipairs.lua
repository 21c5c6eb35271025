-- The iterator of ipairs is no way out.
-- answers
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local f, t, i = ipairs({ 7 })
    local _, v = f(t, i)
    return v
  end,
}
