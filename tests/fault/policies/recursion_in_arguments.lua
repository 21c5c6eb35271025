-- Every argument asks for the next one.
-- fails: out of fuel
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local function f(a) --> here
      return f(f(a))
    end
    return f(1)
  end,
}
