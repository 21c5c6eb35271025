-- Answers a numeral in a string.
-- fails: a string as key 1
return {
  api = 1,
  name = "hostile",
  queue_order = function(w) --> here
    if w.gpus ~= 4 then return 1 end
    return "5"
  end,
}
