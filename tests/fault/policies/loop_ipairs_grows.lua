-- Appends to the list it walks over.
-- fails: out of fuel
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local t = { 1 }
    for i, v in ipairs(t) do --> here
      t[i + 1] = v
    end
    return 1
  end,
}
