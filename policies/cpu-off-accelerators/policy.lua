-- Jobs without GPUs stay off hosts and racks that have some, as long as there is other room.
return {
  api = 1,
  name = "cpu-off-accelerators",
  description = "Jobs without GPUs go where no GPUs are, else where the fewest are free.",

  domain_order = { reads = { "free" }, function(d, w)
    if w.gpus > 0 then return 0 end
    if d.gpus == 0 then return 1 end  -- equivalent: anything above 0
    return -d.free_gpus
  end },
}
