-- What pcall gives back is text.
-- answers
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local _, e = pcall(function() return nil + 1 end)
    return #e > 0 and type(e) == "string" and 1 or error("no")
  end,
}
