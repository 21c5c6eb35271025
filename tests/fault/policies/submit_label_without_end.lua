-- One label of a gigabyte.
-- fails: string.rep of more than
return {
  api = 1,
  name = "hostile",
  submit = function(w, c)
    if w.gpus ~= 4 then return nil end
    return { labels = { a = string.rep("x", 1e9) } } --> here
  end,
}
