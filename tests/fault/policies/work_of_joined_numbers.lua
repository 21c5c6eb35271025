-- Writes numbers as texts.
-- fails: out of fuel
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local n = 0
    for i = 1, 200 do --> here
      local s = i .. 1e308 .. i .. 1e-308 .. i .. 1e308
      n = n + #s
    end
    return n
  end,
}
