-- Asks for less than the job needs.
-- fails: submit cannot change 'request'
return {
  api = 1,
  name = "hostile",
  submit = function(w, c) --> here
    if w.gpus ~= 4 then return nil end
    return { request = { cpu = 0 } }
  end,
}
