-- Holds behind a pcall and answers nothing.
-- fails: called c.hold and did not return its answer
return {
  api = 1,
  name = "hostile",
  hold = function(w, c) --> here
    if w.gpus ~= 4 then return nil end
    pcall(function()
      c.hold("later")
      error("no")
    end)
    return nil
  end,
}
