-- A job that names a rack gets that one first.
return {
  api = 1,
  name = "named-rack-first",
  labels = { "wants" },
  domain_order = function(d, w)
    return d.name == w.label.wants and 1 or 0
  end,
}
