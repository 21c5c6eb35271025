-- A base there is none of.
-- fails: base out of range
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c) --> here
    if w.gpus ~= 4 then return 1 end
    return tonumber("10", 99)
  end,
}
