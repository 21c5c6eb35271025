-- Walks over a view.
-- fails: name the fields you need
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    for k in pairs(w) do --> here
    end
    return 1
  end,
}
