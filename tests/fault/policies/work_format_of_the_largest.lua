-- Every digit of the largest number.
-- answers
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    return #string.format("%.99f", 1.7976931348623157e308) + #string.format("%99.99e", 5e-324)
  end,
}
