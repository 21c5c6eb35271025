-- Reasons without end for one job.
-- fails: out of fuel
return {
  api = 1,
  name = "hostile",
  hold = function(w, c)
    if w.gpus ~= 4 then return nil end
    local i = 0
    while true do
      i = i + 1
      c.hold("reason " .. i) --> here
    end
  end,
}
