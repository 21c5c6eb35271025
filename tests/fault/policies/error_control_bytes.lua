-- An error that would clear the terminal.
-- fails: [2J
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    error("\27[2J\27[H\n\r\0\7") --> here
  end,
}
