-- Writes behind a metatable.
-- refused: blocked function: rawset
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    rawset(_G, "x", 1) --> here
    return 1
  end,
}
