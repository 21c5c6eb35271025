-- A text in place of a number.
-- fails: domain_order returned a string as key 1
return {
  api = 1,
  name = "hostile",
  domain_order = function(d, w, c) --> here
    if w.gpus ~= 4 then return 1 end
    return d.name
  end,
}
