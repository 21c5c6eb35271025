-- Jobs that say so try the flavor first that is declared last.
return {
  api = 1,
  name = "cheap-flavor-first",
  labels = { "budget" },
  flavor_order = function(w, f)
    if w.label.budget == "small" then return f.index end
    return -f.index
  end,
}
