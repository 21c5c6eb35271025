-- A reason that would clear the screen of its reader.
-- answers
return {
  api = 1,
  name = "hostile",
  hold = function(w, c)
    if w.gpus ~= 4 then return nil end
    return c.hold("\27[2J\0\r\n\255")
  end,
}
