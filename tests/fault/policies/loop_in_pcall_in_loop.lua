-- Catches it again and again.
-- fails: out of fuel
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    while true do
      pcall(function()
        while true do end --> here
      end)
    end
  end,
}
