-- Counts by a label that it does not declare.
-- fails: is not declared
return {
  api = 1,
  name = "hostile",
  domain_order = { reads = { "placed" }, per = "user", function(d, w, c)
    if w.gpus ~= 4 then return 1 end
    return d.placed["zone"] --> here
  end },
}
