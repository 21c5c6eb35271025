-- Makes more free.
-- fails: a policy cannot write to f.free
return {
  api = 1,
  name = "hostile",
  flavor_order = { reads = { "free" }, function(w, f, c)
    if w.gpus ~= 4 then return 1 end
    f.free["nvidia.com/gpu"] = 8 --> here
    return 1
  end },
}
