-- An error that is no text.
-- fails: ???
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    error("\255\254\253") --> here
  end,
}
