-- A domain that is neither.
-- fails: domain_order returned nan
return {
  api = 1,
  name = "hostile",
  domain_order = function(d, w, c) --> here
    if w.gpus ~= 4 then return 1 end
    return 0 / 0
  end,
}
