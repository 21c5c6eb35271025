-- Reads the time without saying so.
-- refused: changes by itself and is not declared
return {
  api = 1,
  name = "hostile",
  hold = function(w, c)
    if w.gpus ~= 4 then return nil end
    if w.waited < 60 then return c.hold("young") end --> here
    return nil
  end,
}
