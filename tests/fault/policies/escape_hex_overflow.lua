-- A width that once overflowed a buffer.
-- fails: bad argument
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    return #bit.tohex(1, {}) --> here
  end,
}
