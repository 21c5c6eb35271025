-- Joins a list with a hole.
-- fails: table.concat of a nil; use strings and numbers
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    return #table.concat({ 1, nil, 3 }, "", 1, 3) --> here
  end,
}
