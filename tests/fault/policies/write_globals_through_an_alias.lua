-- Makes a global under another name.
-- refused: blocked function: _G
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local g = _G --> here
    g.count = 1
    return 1
  end,
}
