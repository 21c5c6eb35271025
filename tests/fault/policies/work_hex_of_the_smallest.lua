-- Once wrote beyond a buffer.
-- answers
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    return #bit.tohex(1, -2147483648) + #bit.tohex(-1, 2147483647)
  end,
}
