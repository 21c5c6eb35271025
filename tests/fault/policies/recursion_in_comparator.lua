-- Sorts inside the comparator of a sort.
-- fails: out of fuel
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local function sort()
      local t = { 3, 2, 1 }
      table.sort(t, function(a, b) --> here
        sort()
        return a < b
      end)
    end
    sort()
    return 1
  end,
}
