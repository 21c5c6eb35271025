-- Nothing but comments.
-- refused: the file returns nothing

