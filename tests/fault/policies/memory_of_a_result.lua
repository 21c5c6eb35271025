-- Remembers in what a function returns.
-- fails: this table belongs to the file
local seen = {}
local function get() return seen end
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    get().n = 1 --> here
    return 1
  end,
}
