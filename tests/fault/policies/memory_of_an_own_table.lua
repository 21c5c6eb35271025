-- Writes to tables of its own in every way there is.
-- answers
local kept = { 1, 2 }
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local t, u = {}, { v = {} }
    t[1], u.v.n = kept[1], 2
    function t.f() return 1 end
    function u.v:g() return self.n end
    table.insert(u, 3)
    local function fill(list) list.n = #list return list end
    return fill(t).n + u.v:g() + t.f()
  end,
}
