-- Ledger, version 4: no change of the tables. The calls that commits keep are encoded otherwise, so
-- that an older Muster, which could not read them, does not open the ledger.
PRAGMA user_version = 4;
