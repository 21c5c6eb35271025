-- Refuses what came long ago.
-- fails: c.reject is for submit
return {
  api = 1,
  name = "hostile",
  hold = function(w, c) --> here
    if w.gpus ~= 4 then return nil end
    return c.reject("no")
  end,
}
