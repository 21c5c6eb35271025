-- Hashes for ever.
-- fails: out of fuel
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local s = w.name
    while true do s = s .. muster.hash(s) end --> here
  end,
}
