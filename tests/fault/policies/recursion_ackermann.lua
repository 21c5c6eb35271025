-- Work beyond every bound.
-- fails: out of fuel
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local function a(m, n) --> here
      if m == 0 then return n + 1 end
      if n == 0 then return a(m - 1, 1) end
      return a(m - 1, a(m, n - 1))
    end
    return a(4, 4)
  end,
}
