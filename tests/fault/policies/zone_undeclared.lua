-- Looks at a clock it did not name.
-- fails: is not declared
return {
  api = 1,
  name = "hostile",
  queue_order = { reads = { "now" }, function(w, c)
    if w.gpus ~= 4 then return 1 end
    return c.local_time("Asia/" .. "Tokyo").hour --> here
  end },
}
