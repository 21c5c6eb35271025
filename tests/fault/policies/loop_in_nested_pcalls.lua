-- A pcall of a pcall of a loop.
-- fails: out of fuel
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    pcall(pcall, pcall, function()
      while true do --> here
      end
    end)
    return 1
  end,
}
