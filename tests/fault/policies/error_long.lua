-- An error of sixty thousand bytes.
-- fails: xxxx
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    error(string.rep("x", 9000)) --> here
  end,
}
