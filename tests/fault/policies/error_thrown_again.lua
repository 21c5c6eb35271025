-- Catches an error and throws it on.
-- fails: first
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local ok, e = pcall(error, "first")
    if not ok then error(e, 0) end --> here
    return 1
  end,
}
