-- Three loops of a thousand rounds.
-- fails: out of fuel
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local n = 0
    for i = 1, 1000 do
      for j = 1, 1000 do
        for k = 1, 1000 do --> here
          n = n + 1
        end
      end
    end
    return n
  end,
}
