-- Returns one more with each return.
-- fails: more than 200 arguments
local function many(n)
  if n == 0 then return 1 end
  return n, n, n, n, n, n, n, n, n, n, many(n - 1)
end
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    return select("#", many(25))
  end,
}
