-- Calls itself for ever.
-- fails: out of fuel
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local function f(n) --> here
      return 1 + f(n + 1)
    end
    return f(1)
  end,
}
