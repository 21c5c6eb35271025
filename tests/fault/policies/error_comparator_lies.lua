-- A comparator that says everything is smaller.
-- fails: invalid order function
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local t = {}
    for i = 1, 8 do t[i] = i end
    table.sort(t, function() return true end) --> here
    return t[1]
  end,
}
