-- Catches that it has to end.
-- fails: out of fuel
return {
  api = 1,
  name = "hostile",
  hold = function(w, c)
    if w.gpus ~= 4 then return nil end
    while true do pcall(c.hold) end
  end,
}
