-- Remembers in the package itself.
-- fails: this table belongs to the file
local package_ = {}
local function note()
  local p = package_
  p.n = 1 --> here
  return 1
end
package_.note = note
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    return note()
  end,
}
