-- A key of which nothing is counted.
-- refused: d.placed counts pods of jobs with the same key
return {
  api = 1,
  name = "hostile",
  domain_order = { per = "user", function(d, w, c)
    if w.gpus ~= 4 then return 1 end
    return 1
  end },
}
