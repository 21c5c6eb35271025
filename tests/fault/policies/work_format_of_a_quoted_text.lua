-- A text of what must be quoted.
-- answers
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    return #string.format("%q", string.rep("\0\n\"", 50))
  end,
}
