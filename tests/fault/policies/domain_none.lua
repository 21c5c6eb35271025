-- No domain at all.
-- fails: domain_order returned -inf
return {
  api = 1,
  name = "hostile",
  domain_order = function(d, w, c) --> here
    if w.gpus ~= 4 then return 1 end
    return -math.huge
  end,
}
