-- Raises again what it caught.
-- fails: no luck
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local ok, e = pcall(error, "no luck")
    error(e) --> here
  end,
}
