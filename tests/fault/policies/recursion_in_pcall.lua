-- Each level catches the error of the next.
-- fails: out of fuel
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local function f(n) --> here
      local ok = pcall(f, n + 1)
      return ok and 1 or 2
    end
    return f(1)
  end,
}
