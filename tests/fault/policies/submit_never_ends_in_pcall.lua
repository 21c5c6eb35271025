-- Catches the end of its fuel.
-- fails: out of fuel
return {
  api = 1,
  name = "hostile",
  submit = function(w, c)
    if w.gpus ~= 4 then return nil end
    pcall(function()
      while true do --> here
      end
    end)
    return nil
  end,
}
