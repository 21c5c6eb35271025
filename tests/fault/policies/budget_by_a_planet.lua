-- A budget of each planet.
-- refused: planet
return {
  api = 1,
  name = "hostile",
  victim = { per = "planet", function(v, p, c)
    if v.gpus ~= 4 then return 1, 0, 0 end
    return 1, 1, 1
  end },
}
