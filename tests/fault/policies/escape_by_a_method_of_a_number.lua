-- Numbers have no methods.
-- fails: attempt to index local
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local n = 5
    return n:byte() --> here
  end,
}
