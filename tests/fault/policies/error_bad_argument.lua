-- A wrong argument for a C function.
-- fails: bad argument
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local x = math.floor("x") --> here
    return x
  end,
}
