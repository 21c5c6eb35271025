-- The innermost line counts.
-- fails: too deep inside
local function level(n)
  if n == 20 then
    error("too deep inside") --> here
  end
  return 1 + level(n + 1)
end
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    return level(1)
  end,
}
