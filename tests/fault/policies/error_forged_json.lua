-- An error that would end a JSON string.
-- fails: "}],"ok":true
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    error("\"}],\"ok\":true") --> here
  end,
}
