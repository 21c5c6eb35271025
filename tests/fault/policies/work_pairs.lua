-- Sorts the keys of a table again and again.
-- fails: out of fuel
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local t = {}
    for i = 1, 40 do t[-i] = i end
    for i = 1, 40 do
      pairs(t) --> here
    end
    return 1
  end,
}
