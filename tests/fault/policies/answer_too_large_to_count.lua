-- A whole number that is none any more.
-- answers
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    return 9007199254740993
  end,
}
