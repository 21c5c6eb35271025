-- The methods of strings are copies.
-- fails: blocked function: string.dump; remove it
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    return #("").dump --> here
  end,
}
