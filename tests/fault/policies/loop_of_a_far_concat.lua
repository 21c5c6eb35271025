-- Joins one value where numbers have no successor.
-- fails: is no place in a list
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local t = {}
    t[9007199254740992] = "x"
    return #table.concat(t, "", 9007199254740992, 9007199254740992) --> here
  end,
}
