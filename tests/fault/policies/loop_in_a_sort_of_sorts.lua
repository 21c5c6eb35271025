-- A comparator that sorts.
-- fails: out of fuel
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local function less(a, b)
      local t = { 3, 1, 2 }
      table.sort(t, less)
      return a < b
    end
    local t = { 2, 1 }
    table.sort(t, less)
    return t[1]
  end,
}
