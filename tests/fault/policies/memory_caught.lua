-- Catches every error of a memory bomb.
-- fails: out of fuel
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local o = { s = "x" }
    for i = 1, 60 do
      pcall(function()
        o.s = o.s .. o.s --> here
      end)
    end
    return 1
  end,
}
