-- Keys far apart.
-- fails: more than 256 keys are numbers, but not whole ones from 1 to 65536
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local t = {}
    local k = 1
    while true do
      t[k] = 1 --> here
      k = k * 1.5
    end
    return 1
  end,
}
