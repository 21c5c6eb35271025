-- Labels without names.
-- fails: not a string
return {
  api = 1,
  name = "hostile",
  submit = function(w, c) --> here
    if w.gpus ~= 4 then return nil end
    return { labels = { "a", "b" } }
  end,
}
