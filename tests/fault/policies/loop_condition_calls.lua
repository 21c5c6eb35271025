-- The work is in the condition.
-- fails: out of fuel
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local function more() --> here
      return true
    end
    while more() do end
    return 1
  end,
}
