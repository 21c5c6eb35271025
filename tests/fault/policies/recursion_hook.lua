-- The hook calls itself.
-- fails: out of fuel
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local function order(x) --> here
      return order(x)
    end
    return order(w)
  end,
}
