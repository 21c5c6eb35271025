-- An account that is a function.
-- refused: an account is a table
return {
  api = 1,
  name = "hostile",
  accounts = { a = function() end },
  queue_order = { function(w, c)
    if w.gpus ~= 4 then return 1 end
    return w.gpus
  end },
}
