-- Makes a global function.
-- refused: is global and cannot be assigned
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    function helper() end --> here
    return 1
  end,
}
