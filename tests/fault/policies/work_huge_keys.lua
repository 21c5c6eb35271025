-- Keys beyond every array.
-- answers
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local t = {}
    t[9007199254740992], t[-1], t[0.5], t[1e308], t[-1e308] = 1, 2, 3, 4, 5
    return t[9007199254740992] + t[-1]
  end,
}
