-- Defines a function in a table of the file.
-- fails: this table belongs to the file
local seen = {}
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local s = seen
    function s.again() return 1 end --> here
    return s.again()
  end,
}
