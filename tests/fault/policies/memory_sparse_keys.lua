-- Keys far apart.
-- fails: out of fuel
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local t = {}
    local k = 1
    while true do --> here
      t[k] = 1
      k = k * 1.5
    end
    return 1
  end,
}
