-- Sorts the same list again and again.
-- fails: out of fuel
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local t = {}
    for i = 1, 50 do t[i] = -i end
    for i = 1, 50 do
      table.sort(t) --> here
    end
    return 1
  end,
}
