-- Reads an account without saying so.
-- refused: changes by itself and is not declared
return {
  api = 1,
  name = "hostile",
  accounts = { had = { by = "user", of = "running" } },
  hold = function(w, c)
    if w.gpus ~= 4 then return nil end
    if w.account.had > 3 then return c.hold("enough") end --> here
    return nil
  end,
}
