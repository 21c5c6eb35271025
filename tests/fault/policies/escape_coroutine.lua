-- A stack of its own.
-- refused: blocked function: coroutine.wrap
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    return coroutine.wrap(function() return 1 end)() --> here
  end,
}
