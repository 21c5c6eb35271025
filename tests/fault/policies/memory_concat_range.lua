-- Joins a range that is not there.
-- fails: more than 65536 values; join fewer
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    return #table.concat({}, "", 1, 1e9) --> here
  end,
}
