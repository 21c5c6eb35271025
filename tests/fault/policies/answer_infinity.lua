-- Answers infinity.
-- fails: inf as key 2
return {
  api = 1,
  name = "hostile",
  queue_order = function(w) --> here
    if w.gpus ~= 4 then return 1, 1 end
    return 1, math.huge
  end,
}
