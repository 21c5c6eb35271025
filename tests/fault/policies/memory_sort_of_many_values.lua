-- A sort whose worst case is the square of many.
-- fails: out of fuel
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local t = {}
    for i = 1, 5000 do --> here
      t[i] = -i
    end
    table.sort(t)
    return 1
  end,
}
