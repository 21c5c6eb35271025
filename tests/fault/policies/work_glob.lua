-- A pattern full of stars.
-- fails: out of fuel
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local s = string.rep("a", 3000)
    return muster.glob(s, string.rep("*a", 400) .. "b") and 1 or 2 --> here
  end,
}
