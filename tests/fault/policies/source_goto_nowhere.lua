-- Jumps to a label that is not there.
-- refused: undefined label
goto nowhere --> here
