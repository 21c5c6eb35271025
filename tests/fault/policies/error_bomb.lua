-- An error of six thousand letters.
-- fails: xxx...
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    error(string.rep("x", 6000), 0) --> here
  end,
}
