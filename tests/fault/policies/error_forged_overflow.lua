-- Says that the stack overflowed.
-- fails: stack overflow
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    pcall(error, "stack overflow") --> here
    return 1
  end,
}
