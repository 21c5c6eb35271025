-- The time, without saying so.
-- refused: add reads = {"now"} to submit
return {
  api = 1,
  name = "hostile",
  submit = function(w, c)
    if w.gpus ~= 4 then return nil end
    return c.now > 0 and c.reject("late") or nil --> here
  end,
}
