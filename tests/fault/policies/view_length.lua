-- Counts a view.
-- fails: # of a view; name the fields you need, or c.resources.count
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local any = w.gpus > 0 and w.request or c.resources
    return #any --> here
  end,
}
