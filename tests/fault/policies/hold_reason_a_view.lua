-- The job for a reason.
-- fails: c.hold needs a reason
return {
  api = 1,
  name = "hostile",
  hold = function(w, c) --> here
    if w.gpus ~= 4 then return nil end
    return c.hold(w)
  end,
}
