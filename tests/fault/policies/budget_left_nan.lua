-- Leaves what is no number.
-- fails: nan as key 3
return {
  api = 1,
  name = "hostile",
  victim = { per = "user", function(v, p, c) --> here
    if v.gpus ~= 4 then return 1, 0, 0 end
    return 1, 1, 0 / 0
  end },
}
