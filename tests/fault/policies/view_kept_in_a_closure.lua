-- A function that remembers the view.
-- refused: 'ask' belongs to an outer function
local ask
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    ask = function() return w.priority end --> here
    return ask()
  end,
}
