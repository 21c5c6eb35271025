-- A zone out of the files of the machine.
-- refused: no time zone
return {
  api = 1,
  name = "hostile",
  zones = { "../../../etc/passwd" },
  queue_order = { reads = { "now" }, function(w, c)
    if w.gpus ~= 4 then return 1 end
    return c.local_time("../../../etc/passwd").hour
  end },
}
