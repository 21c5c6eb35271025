-- A table whose first entry is itself, evaluated.
-- fails: out of fuel
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local function f() --> here
      return { f() }
    end
    return #f()
  end,
}
