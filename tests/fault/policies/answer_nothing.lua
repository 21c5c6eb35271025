-- Answers nothing on one path.
-- fails: returned 0 keys
return {
  api = 1,
  name = "hostile",
  queue_order = function(w) --> here
    if w.gpus ~= 4 then return 1 end
    w = 0
  end,
}
