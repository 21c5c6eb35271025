-- Passes two hundred values down many levels.
-- fails: out of fuel
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local t = {}
    for i = 1, 100 do t[i] = i end
    local function f(...)
      return f(unpack(t))
    end
    return f()
  end,
}
