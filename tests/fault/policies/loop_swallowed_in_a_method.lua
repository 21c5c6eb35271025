-- Every iteration swallows the error of the one before.
-- fails: out of fuel
return {
  api = 1,
  name = "hostile",
  queue_order = function(w, c)
    if w.gpus ~= 4 then return 1 end
    local o = {}
    function o:spin()
      while true do end --> here
    end
    while true do
      pcall(o.spin, o)
    end
  end,
}
