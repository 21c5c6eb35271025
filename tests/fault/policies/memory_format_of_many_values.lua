-- More values than a format has use for.
-- fails: more than 200 arguments
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local function many(...)
      if select("#", ...) > 250 then return string.format("%s", ...) end
      return many(1, 2, 3, 4, 5, 6, 7, ...)
    end
    return #many()
  end,
}
