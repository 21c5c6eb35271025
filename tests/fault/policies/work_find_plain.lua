-- A search whose cost is the product of two lengths.
-- fails: out of fuel
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local s = string.rep("a", 4000)
    local part = string.rep("a", 2000) .. "b"
    return string.contains(s, part) and 1 or 2 --> here
  end,
}
