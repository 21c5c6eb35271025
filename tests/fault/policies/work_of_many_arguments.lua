-- Hands more and more arguments on.
-- fails: more than 200 arguments
local function count(n, ...)
  if n == 0 then return select("#", ...) end
  return count(n - 1, n, n, n, n, n, n, n, n, n, n, ...)
end
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    return count(25)
  end,
}
