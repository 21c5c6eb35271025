-- Catches every error of a memory bomb.
-- fails: larger than 1 MB
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local o = { s = "x" }
    for i = 1, 60 do --> here
      pcall(function()
        o.s = o.s .. o.s
      end)
    end
    return 1
  end,
}
