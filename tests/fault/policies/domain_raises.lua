-- Fails with a table.
-- fails: the error raised is a table
return {
  api = 1,
  name = "hostile",
  domain_order = function(d, w, c)
    if w.gpus ~= 4 then return 1 end
    error({ 1 }) --> here
  end,
}
