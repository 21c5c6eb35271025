-- Two labels that jump to each other.
-- fails: out of fuel
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    ::a::
    if w.pods then goto b end --> here
    ::b::
    goto a
  end,
}
