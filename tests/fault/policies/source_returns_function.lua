-- Returns a function instead of a table.
-- refused: the file returns a function
return function() return 1 end
