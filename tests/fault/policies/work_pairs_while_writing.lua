-- Writes to what it walks over.
-- answers
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local t = { 1, 2, x = 3 }
    for k in pairs(t) do t[k] = nil end
    for k, v in pairs(t) do error(k) end
    return 1
  end,
}
