-- Answers nothing on one path.
-- fails: queue_order returned nothing; every way through it needs a return
return {
  api = 1,
  name = "hostile",
  queue_order = function(w) --> here
    if w.gpus ~= 4 then return 1 end
    w = 0
  end,
}
