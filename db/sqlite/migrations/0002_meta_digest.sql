-- Ledger, version 2: the rows of meta carry a digest, as those of current state do. Older rows get
-- theirs from the program that migrates.
CREATE TABLE older_meta AS SELECT key, value FROM meta;
DROP TABLE meta;
CREATE TABLE meta (
  key    TEXT    NOT NULL PRIMARY KEY,
  value  TEXT    NOT NULL,
  digest INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO meta (key, value, digest) SELECT key, value, 0 FROM older_meta;
DROP TABLE older_meta;
PRAGMA user_version = 2;
