-- The iterator function itself loops.
-- fails: out of fuel
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    for x in function()
      while true do --> here
      end
    end do end
    return 1
  end,
}
