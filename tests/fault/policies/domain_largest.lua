-- The largest there is, and the smallest.
-- answers
return {
  api = 1,
  name = "hostile",
  domain_order = function(d, w, c)
    if w.gpus ~= 4 then return 1 end
    return w.pods > 1 and 1.7e308 or -1.7e308
  end,
}
