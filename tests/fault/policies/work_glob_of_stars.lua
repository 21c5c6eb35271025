-- The glob that would take for ever.
-- answers
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    return muster.glob(string.rep("a", 60), string.rep("*a", 25) .. "b") and 1 or 2
  end,
}
