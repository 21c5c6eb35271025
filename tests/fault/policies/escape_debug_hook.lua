-- Takes the hook of the interpreter.
-- refused: blocked function: debug.sethook
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    debug.sethook() --> here
    return 1
  end,
}
