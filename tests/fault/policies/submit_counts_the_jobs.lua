-- Remembers how many came.
-- refused: cannot be assigned
local count = 0
return {
  api = 1,
  name = "hostile",
  submit = function(w, c)
    if w.gpus ~= 4 then return nil end
    count = count + 1 --> here
    return nil
  end,
}
