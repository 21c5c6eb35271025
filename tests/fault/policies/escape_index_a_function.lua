-- Looks into a function.
-- fails: index
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local f = pcall
    return f.x --> here
  end,
}
