-- The largest number there is.
-- answers
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    return 1.7976931348623157e308
  end,
}
