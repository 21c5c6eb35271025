-- Each catch puts one in front.
-- fails: out of fuel
local function many(n)
  if n == 0 then return 1 end
  return pcall(many, n - 1)
end
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    return select("#", many(205))
  end,
}
