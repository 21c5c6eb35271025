-- A budget by a label that no view has.
-- answers
return {
  api = 1,
  name = "hostile",
  victim = { per = "label:team", function(v, p, c)
    if v.gpus ~= 4 then return 1, 0, 0 end
    return 1, 1, 1
  end },
}
