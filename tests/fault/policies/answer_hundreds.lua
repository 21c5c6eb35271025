-- Answers two hundred keys.
-- fails: returned 200 keys
return {
  api = 1,
  name = "hostile",
  queue_order = function(w) --> here
    if w.gpus ~= 4 then return 1 end
    local t = {} for i = 1, 100 do t[i] = i end return 1, unpack(t, 1, 199)
  end,
}
