-- A name that is not one.
-- refused: is not a package name
return {
  api = 1,
  name = "../../etc/passwd", --> here
  queue_order = function() return 1 end,
}
