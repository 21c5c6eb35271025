-- Loops inside a table constructor.
-- fails: out of fuel
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local t = { (function()
      repeat --> here
      until false
    end)() }
    return #t
  end,
}
