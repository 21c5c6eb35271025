-- A method that is a write.
-- refused: 'string' cannot be changed; use a local table
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    function string:owned() end --> here
    return 1
  end,
}
