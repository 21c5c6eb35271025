-- Inserts at the front of a list.
-- fails: only appends
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local t = { 1, 2, 3 }
    table.insert(t, 1, 0) --> here
    return 1
  end,
}
