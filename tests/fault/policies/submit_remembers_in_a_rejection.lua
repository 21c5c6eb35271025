-- The rejection is the same one each time: nothing can be kept in it.
-- fails: a policy cannot write to the rejection
return {
  api = 1,
  name = "hostile",
  submit = function(w, c)
    if w.gpus ~= 4 then return end
    local no = c.reject("no")
    no.n = (rawequal(no, nil) and 0 or 1) --> here
    return no
  end,
}
