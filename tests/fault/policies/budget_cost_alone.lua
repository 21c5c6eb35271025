-- Says the cost alone.
-- refused: victim returns
return {
  api = 1,
  name = "hostile",
  victim = { per = "user", function(v, p, c)
    if v.gpus ~= 4 then return 1, 0, 0 end
    return 1 --> here
  end },
}
