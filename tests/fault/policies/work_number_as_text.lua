-- A number of a million digits.
-- fails: string.rep of more
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    return tonumber(string.rep("9", 1e6)) --> here
  end,
}
