-- A stream whose name is a book.
-- fails: out of fuel
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local s = string.rep("a", 20000)
    while true do
      c.rng(s) --> here
    end
  end,
}
