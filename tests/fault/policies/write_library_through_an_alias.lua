-- Changes a library under another name.
-- fails: math cannot be changed
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local m = math
    m.floor = nil --> here
    return 1
  end,
}
