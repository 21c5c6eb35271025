-- A step of minus zero never starts.
-- answers
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    for i = 1, 2, -0 do error("it started") end
    return 1
  end,
}
