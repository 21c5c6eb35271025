-- Shifts beyond every width.
-- answers
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    return bit.lshift(1, 1e9) + bit.arshift(-1, -1e9) + bit.rol(1, 4294967297)
  end,
}
