-- A label in the way of the fuel.
-- fails: out of fuel
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    while true do --> here
      do goto continue end
      ::continue::
    end
  end,
}
