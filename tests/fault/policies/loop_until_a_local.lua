-- The condition sees a local of the body, which is always false.
-- fails: out of fuel
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    repeat --> here
      local done = false
    until done
    return 1
  end,
}
