-- Thinks about it for ever.
-- fails: out of fuel
return {
  api = 1,
  name = "hostile",
  hold = function(w, c)
    if w.gpus ~= 4 then return nil end
    while true do --> here
    end
  end,
}
