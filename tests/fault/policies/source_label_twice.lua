-- Defines a label twice.
-- refused: duplicate label
::a::
::a:: --> here
