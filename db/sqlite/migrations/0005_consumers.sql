-- Ledger, version 5: no change of the tables. Decisions are handed over to consumers: commits of new
-- kinds, and rows of engine_state that an older Muster would take for something else.
PRAGMA user_version = 5;
