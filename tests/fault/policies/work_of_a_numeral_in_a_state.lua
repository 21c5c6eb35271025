-- Has the iterator of a table read a numeral.
-- fails: number expected, got string
local num = "1." .. ("123456789"):rep(7000) .. "e-308"
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local f, s = pairs({})
    s[1] = num
    for i = 1, 10 do f(s) end --> here
    return 1
  end,
}
