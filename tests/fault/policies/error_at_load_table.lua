-- Raises a table before it returns its table.
-- refused: the error raised is a table
error({}) --> here
