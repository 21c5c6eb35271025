-- A field that no domain has.
-- refused: no field
return {
  api = 1,
  name = "hostile",
  domain_order = function(d, w, c)
    if w.gpus ~= 4 then return 1 end
    return d.gpu --> here
  end,
}
