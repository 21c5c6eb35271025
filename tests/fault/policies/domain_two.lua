-- Two scores.
-- refused: domain_order returns 2 keys
return {
  api = 1,
  name = "hostile",
  domain_order = function(d, w, c)
    if w.gpus ~= 4 then return 1 end
    return d.hosts, 1 --> here
  end,
}
