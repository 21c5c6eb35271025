-- Hands the labels back by a name made at run time.
-- fails: submit returned a view as labels
return {
  api = 1,
  name = "hostile",
  submit = function(w, c) --> here
    if w.gpus ~= 4 then return nil end
    return { labels = w["la" .. "bel"] }
  end,
}
