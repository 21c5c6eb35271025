-- A name of four hundred letters.
-- refused: is global and cannot be assigned; write local xxx
xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx = 1 --> here
return {}
