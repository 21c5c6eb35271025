-- Fails with a table.
-- fails: the error raised is a table
return {
  api = 1,
  name = "hostile",
  boost = function(w, c)
    if w.gpus ~= 4 then return nil end
    error({ 1 }) --> here
  end,
}
