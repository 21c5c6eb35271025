-- Builds a list that hangs together.
-- fails: out of fuel
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local t
    while true do --> here
      t = { t }
    end
    return 1
  end,
}
