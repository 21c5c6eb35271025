-- Has an error read a numeral.
-- fails: number expected, got string
local num = "1." .. ("123456789"):rep(7000) .. "e-308"
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    error("x", num) --> here
  end,
}
