-- Sorts numbers and text.
-- fails: compare
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local t = { 1, "a", 2 }
    table.sort(t) --> here
    return 1
  end,
}
