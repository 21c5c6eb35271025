-- Ledger, version 6: the history may begin later than with the first commit. Then `base` has one row,
-- the base_ tables hold the state that a replay begins with, and `carried` the events from before that
-- are about what was still there. Digests are as in the tables of current state.
CREATE TABLE base (
  first       INTEGER PRIMARY KEY,  -- the oldest commit that is kept
  state_at    INTEGER NOT NULL,     -- the base_ tables hold the state after this commit
  sum         INTEGER NOT NULL,     -- of the digests of their rows
  carried_sum INTEGER NOT NULL,     -- of the digests of carried
  digest      INTEGER NOT NULL
) STRICT;

CREATE TABLE base_workload (
  namespace     TEXT    NOT NULL,
  name          TEXT    NOT NULL,
  uid           TEXT    NOT NULL,
  local_queue   TEXT    NOT NULL,
  cluster_queue TEXT    NOT NULL,
  phase         TEXT    NOT NULL,
  priority      INTEGER NOT NULL,
  created       INTEGER,
  reserved_at   INTEGER,
  admitted_at   INTEGER,
  finished_at   INTEGER,
  value         BLOB    NOT NULL,
  digest        INTEGER NOT NULL,
  PRIMARY KEY (namespace, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE base_object (
  kind   TEXT    NOT NULL,
  name   TEXT    NOT NULL,
  value  BLOB    NOT NULL,
  digest INTEGER NOT NULL,
  PRIMARY KEY (kind, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE base_queue_state (
  key    TEXT    NOT NULL PRIMARY KEY,
  value  BLOB    NOT NULL,
  digest INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE base_engine_state (
  key    TEXT    NOT NULL PRIMARY KEY,
  value  BLOB    NOT NULL,
  digest INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE carried (
  seq         INTEGER PRIMARY KEY,  -- of the event
  commit_seq  INTEGER NOT NULL,
  time        INTEGER,
  kind        TEXT    NOT NULL,
  subject     TEXT    NOT NULL,
  policy_hash TEXT,
  payload     TEXT    NOT NULL,
  digest      INTEGER NOT NULL
) STRICT;
PRAGMA user_version = 6;
