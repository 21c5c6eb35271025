-- A search of unknown end.
-- fails: out of fuel
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local n = 27
    while n > 0 do --> here
      if n % 2 == 0 then n = n / 2 else n = 3 * n + 1 end
    end
    return n
  end,
}
