-- Catches every error of a memory bomb.
-- fails: larger than 1 MB
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local s = "x"
    for i = 1, 60 do
      pcall(function() --> here
        s = s .. s
      end)
    end
    return 1
  end,
}
