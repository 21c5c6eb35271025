-- A blocked function under another name.
-- refused: blocked function: getmetatable; use a plain table
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local meta = getmetatable --> here
    return meta("") and 1 or 2
  end,
}
