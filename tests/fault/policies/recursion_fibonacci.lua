-- Exponential work.
-- fails: out of fuel
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local function fib(n) --> here
      return n < 2 and n or fib(n - 1) + fib(n - 2)
    end
    return fib(40)
  end,
}
