-- An error of line ends.
-- fails: the error raised has no message
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    error(string.rep("\n", 100), 0) --> here
  end,
}
