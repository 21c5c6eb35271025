-- Joins by a table.
-- fails: bad argument 2 to table.concat: string expected, got table
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    return #table.concat({ "a", "b" }, {}) --> here
  end,
}
