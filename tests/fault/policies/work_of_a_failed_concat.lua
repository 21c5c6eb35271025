-- Has a list joined that cannot be.
-- fails: out of fuel
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local t = {}
    for i = 1, 50 do t[i] = "x" end
    t[51] = true
    while true do
      pcall(table.concat, t, "", 1, 51) --> here
    end
  end,
}
