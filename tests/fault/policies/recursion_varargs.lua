-- Each level passes one value more.
-- fails: more than 200 arguments
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local function f(...) --> here
      return f(1, ...)
    end
    return f(1)
  end,
}
