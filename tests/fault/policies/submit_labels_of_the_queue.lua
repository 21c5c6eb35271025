-- Changes a label that was read before.
-- fails: submit cannot change label 'kueue.x-k8s.io/queue-name', which was read before; write queue
return {
  api = 1,
  name = "hostile",
  submit = function(w, c)
    if w.gpus ~= 4 then return nil end
    return { labels = { ["kueue.x-k8s.io/queue-name"] = "other" } }
  end,
}
