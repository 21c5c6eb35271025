-- Shrinks its request.
-- fails: cannot write to w.request
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    w.request.cpu = 0 --> here
    return 1
  end,
}
