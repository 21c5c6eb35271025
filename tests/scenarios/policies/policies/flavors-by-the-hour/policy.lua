-- In the afternoon flavor b comes first; before that they are tried as declared.
return {
  api = 1,
  name = "flavors-by-the-hour",
  flavor_order = { reads = { "now" }, function(w, f, c)
    if f.name == "b" and c.now % 86400 >= 13 * 3600 then return 1 end
    return -f.index
  end },
}
