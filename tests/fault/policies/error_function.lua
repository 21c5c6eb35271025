-- Raises a function.
-- fails: the error raised is a function
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    error(error) --> here
  end,
}
