-- Ever more labels.
-- fails: out of fuel
return {
  api = 1,
  name = "hostile",
  submit = function(w, c)
    if w.gpus ~= 4 then return nil end
    local labels = {}
    for i = 1, 1e9 do labels["l" .. i] = "x" end --> here
    return { labels = labels }
  end,
}
