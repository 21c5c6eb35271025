-- The length of a number.
-- fails: attempt to get length of
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local n = w.gpus
    return #n --> here
  end,
}
