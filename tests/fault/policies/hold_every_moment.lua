-- Is asked a thousand times a second.
-- refused: every is not a duration
return {
  api = 1,
  name = "hostile",
  hold = { every = "1ms", reads = { "now" }, function(w, c)
    if w.gpus ~= 4 then return nil end
    return c.hold("later")
  end },
}
