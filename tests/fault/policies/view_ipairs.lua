-- Walks over a view as over a list.
-- fails: ipairs over a view; name the fields you need
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local any = w.gpus > 0 and w.request or c.resources
    for _ in ipairs(any) do --> here
    end
    return 1
  end,
}
