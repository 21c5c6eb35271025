-- A condition that is always a number.
-- fails: out of fuel
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    while 1 do --> here
    end
    return 1
  end,
}
