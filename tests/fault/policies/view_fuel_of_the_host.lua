-- There is no fuel to be had.
-- refused: no function 'muster.fuel'
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    return muster.fuel --> here
  end,
}
