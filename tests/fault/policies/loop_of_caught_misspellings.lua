-- Each misspelt field makes the sandbox look for the nearest name.
-- fails: out of fuel
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    for i = 1, 1e9 do
      pcall(function() return w["prioirty" .. i] end) --> here
    end
    return 1
  end,
}
