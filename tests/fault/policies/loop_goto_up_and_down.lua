-- Jumps forward to jump back.
-- fails: out of fuel
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local n = 0
    ::top::
    n = n + 1
    if n % 2 == 0 then goto top end
    goto top
  end,
}
