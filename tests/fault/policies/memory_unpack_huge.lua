-- Unpacks a hundred million values.
-- fails: more than 200 values
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    return select('#', unpack({}, 1, 1e8)) --> here
  end,
}
