-- Less whenever it is asked.
-- fails: invalid order function for sorting
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local t = {}
    for i = 1, 20 do t[i] = i end
    table.sort(t, function() return true end) --> here
    return 1
  end,
}
