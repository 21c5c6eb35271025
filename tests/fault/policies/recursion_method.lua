-- A method that calls itself.
-- fails: out of fuel
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local o = {}
    function o:f(n) --> here
      return self:f(n + 1)
    end
    return o:f(1)
  end,
}
