-- A hook that does not exist.
-- refused: no key 'victims' in a package; did you mean 'victim'?
return {
  api = 1,
  name = "hostile",
  victims = function() return 1 end, --> here
}
