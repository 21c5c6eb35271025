-- Opens a file.
-- refused: blocked function: io.open
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    return io.open("/etc/passwd") and 1 or 2 --> here
  end,
}
