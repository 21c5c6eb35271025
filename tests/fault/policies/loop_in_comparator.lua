-- The comparator of a sort never returns.
-- fails: out of fuel
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local t = { 3, 2, 1 }
    table.sort(t, function(a, b)
      while true do --> here
      end
    end)
    return 1
  end,
}
