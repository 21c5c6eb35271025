-- An assertion without a message.
-- fails: assertion failed!
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    assert(w.gpus == 5) --> here
    return 1
  end,
}
