-- A generic for over a function that never returns nil.
-- fails: out of fuel
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local function forever(_, n) --> here
      return n + 1
    end
    for _ in forever, nil, 0 do end
    return 1
  end,
}
