-- A view under which something is kept.
-- answers
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local t = {}
    t[w] = 1
    return t[w]
  end,
}
