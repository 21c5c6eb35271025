-- A failing assertion.
-- fails: no luck
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    assert(false, "no luck") --> here
  end,
}
