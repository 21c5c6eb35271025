-- Goes on where the iteration of the call before stopped.
-- fails: this table belongs to the file
local step, state = pairs { 1, 2, 3 }
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    return step(state) or 0 --> here
  end,
}
