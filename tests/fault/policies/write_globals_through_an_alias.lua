-- Makes a global under another name.
-- fails: _G cannot be changed
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local g = _G
    g.count = 1 --> here
    return 1
  end,
}
