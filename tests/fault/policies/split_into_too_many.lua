-- Splits into a million parts.
-- fails: out of fuel
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    return #muster.split(string.rep(",", 60000), ",") --> here
  end,
}
