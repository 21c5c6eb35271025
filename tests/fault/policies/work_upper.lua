-- Long strings through C functions.
-- fails: out of fuel
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local s = string.rep("x", 6000)
    for i = 1, 100 do
      s = s:upper():lower() --> here
    end
    return #s
  end,
}
