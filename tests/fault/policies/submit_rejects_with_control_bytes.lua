-- Draws on the terminal of the user.
-- answers
return {
  api = 1,
  name = "hostile",
  submit = function(w, c)
    if w.gpus ~= 4 then return nil end
    return c.reject("\27[2J\0\255no")
  end,
}
