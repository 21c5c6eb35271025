-- Catches the error of the exhausted loop.
-- fails: out of fuel
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    pcall(function()
      while true do --> here
      end
    end)
    return 1
  end,
}
