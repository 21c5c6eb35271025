-- Fails.
-- fails: no
return {
  api = 1,
  name = "hostile",
  hold = function(w, c)
    if w.gpus ~= 4 then return nil end
    error("no") --> here
  end,
}
