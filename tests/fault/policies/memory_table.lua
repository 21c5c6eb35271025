-- Fills a table.
-- fails: out of fuel
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local t = {}
    for i = 1, 1e9 do --> here
      t[i] = i
    end
    return 1
  end,
}
