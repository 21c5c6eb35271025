-- Fails while it makes its message.
-- fails: concatenate
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    error("x" .. {}) --> here
  end,
}
