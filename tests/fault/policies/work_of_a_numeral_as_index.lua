-- Has the iterator of a list read a numeral.
-- fails: number expected, got string
local num = "1." .. ("123456789"):rep(7000) .. "e-308"
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local f, t = ipairs({})
    for i = 1, 10 do f(t, num) end --> here
    return 1
  end,
}
