-- A comparator that raises.
-- fails: no luck
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local t = { 2, 1 }
    table.sort(t, function() error("no luck") end) --> here
    return 1
  end,
}
