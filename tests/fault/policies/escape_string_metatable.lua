-- The metatable that all strings share.
-- refused: blocked function: getmetatable
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    getmetatable("").__index.upper = nil --> here
    return 1
  end,
}
