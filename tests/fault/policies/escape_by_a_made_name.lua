-- The name of a library made at run time.
-- fails: blocked function: os.execute
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local g = _G
    local os = g["o" .. "s"]
    return os.execute("true") --> here
  end,
}
