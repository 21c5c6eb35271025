-- Replicas of one service are spread over power zones: each goes where the fewest of them are.
return {
  api = 1,
  name = "spread-zones",
  description = "Jobs with the same label app are spread over the power zones of the hosts.",
  labels = { "app", "power-zone" },

  domain_order = { reads = { "placed" }, per = "label:app", function(d)
    if d.label["power-zone"] == "" then return -1e9 end  -- equivalent: below all counts
    return -d.placed["power-zone"]
  end },
}
