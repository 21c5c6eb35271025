-- Code from a file.
-- refused: blocked function: dofile
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    dofile("/etc/passwd") --> here
    return 1
  end,
}
