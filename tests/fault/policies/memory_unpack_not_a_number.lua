-- A range from nowhere.
-- fails: more than 200 values
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    return select('#', unpack({}, 0 / 0, 1)) --> here
  end,
}
