-- Throws its answer.
-- fails: the error raised is a table, not a message
return {
  api = 1,
  name = "hostile",
  hold = function(w, c)
    if w.gpus ~= 4 then return nil end
    error(c.hold("later"))
  end,
}
