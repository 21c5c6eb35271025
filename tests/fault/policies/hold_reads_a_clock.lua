-- Reads what there is not.
-- refused: hold cannot read
return {
  api = 1,
  name = "hostile",
  hold = { reads = { "clock" }, function(w, c)
    if w.gpus ~= 4 then return nil end
    return c.hold("later")
  end },
}
