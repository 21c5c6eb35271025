-- Continues a loop that never ends.
-- fails: out of fuel
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    while true do --> here
      if w.pods > 0 then goto continue end
      w = nil
      ::continue::
    end
    return 1
  end,
}
