-- Accounts that read themselves.
-- refused: accounts is not a table
return {
  api = 1,
  name = "hostile",
  accounts = function() return {} end,
  queue_order = { function(w, c)
    if w.gpus ~= 4 then return 1 end
    return w.gpus
  end },
}
