-- Adds for ever.
-- fails: out of fuel
return {
  api = 1,
  name = "hostile",
  boost = function(w, c)
    if w.gpus ~= 4 then return nil end
    local sum = 0
    while true do sum = sum + 1 end --> here
  end,
}
