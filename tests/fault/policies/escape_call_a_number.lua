-- Calls a number.
-- fails: call
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local n = w.pods
    return n() --> here
  end,
}
