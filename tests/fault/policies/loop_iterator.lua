-- An iterator that never returns nil.
-- fails: out of fuel
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    for x in function() return 1 end do --> here
    end
    return 1
  end,
}
