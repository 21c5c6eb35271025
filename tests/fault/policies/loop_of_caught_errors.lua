-- Raises and catches for ever.
-- fails: out of fuel
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    while true do --> here
      pcall(error, "again")
    end
    return 1
  end,
}
