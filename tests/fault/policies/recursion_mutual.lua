-- Two functions call each other.
-- fails: out of fuel
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local g
    local f = function(n)
      return g(n)
    end
    g = function(n)
      return f(n)
    end
    return f(1)
  end,
}
