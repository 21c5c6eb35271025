-- Recursion without a name.
-- fails: out of fuel
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local function y(f) return f(f) end
    return y(function(f) --> here
      return 1 + f(f)
    end)
  end,
}
