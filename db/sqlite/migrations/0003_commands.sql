-- Ledger, version 3: a commit keeps the call of the engine that it stands for, whole, so that a
-- replay makes the same calls. NULL: written by an older version; there the events say it.
ALTER TABLE commit_log ADD COLUMN input BLOB;
PRAGMA user_version = 3;
