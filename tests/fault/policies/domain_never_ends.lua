-- Compares for ever.
-- fails: out of fuel
return {
  api = 1,
  name = "hostile",
  domain_order = function(d, w, c)
    if w.gpus ~= 4 then return 1 end
    while d.hosts >= 0 do --> here
    end
    return 1
  end,
}
