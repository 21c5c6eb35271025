-- The name of a library made at run time.
-- refused: blocked function: _G
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local g = _G --> here
    local os = g["o" .. "s"]
    return os.execute("true")
  end,
}
