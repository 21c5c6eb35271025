-- The method form of a huge repetition.
-- fails: string.rep of more than 65536 bytes; build shorter strings
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    return #("x"):rep(1e9) --> here
  end,
}
