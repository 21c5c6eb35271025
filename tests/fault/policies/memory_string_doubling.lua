-- Doubles a string until there is no more memory.
-- fails: larger than 1 MB
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local s = "x"
    while true do --> here
      s = s .. s
    end
    return 1
  end,
}
