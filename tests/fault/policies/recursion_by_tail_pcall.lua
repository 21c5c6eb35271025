-- pcall calls the function that calls pcall.
-- fails: out of fuel
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local function f() --> here
      return pcall(f)
    end
    return f() and 1 or 2
  end,
}
