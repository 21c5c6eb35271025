-- Makes more free.
-- fails: a policy cannot write to d.free
return {
  api = 1,
  name = "hostile",
  domain_order = { reads = { "free" }, function(d, w, c)
    if w.gpus ~= 4 then return 1 end
    d.free["nvidia.com/gpu"] = 8 --> here
    return 1
  end },
}
