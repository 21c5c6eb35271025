-- A view has no length and no contents.
-- answers
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    return #w + select("#", unpack(w))
  end,
}
