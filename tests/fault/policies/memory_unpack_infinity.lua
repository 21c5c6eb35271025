-- A range without end.
-- fails: more than 200 values
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    return select('#', unpack({}, 1, math.huge)) --> here
  end,
}
