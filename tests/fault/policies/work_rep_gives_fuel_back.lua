-- A repetition of less than nothing costs less than nothing.
-- fails: out of fuel
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    while true do --> here
      local s = string.rep("xxxxxxxx", -8)
    end
  end,
}
