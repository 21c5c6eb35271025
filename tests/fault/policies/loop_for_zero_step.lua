-- A step of zero never arrives.
-- fails: out of fuel
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    for i = 1, 2, 0 do --> here
    end
    return 1
  end,
}
