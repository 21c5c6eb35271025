-- Ledger, version 1. Events and commits are the truth and only ever grow; the state tables hold what
-- is true now and change in the same transaction. Times are nanoseconds since 1970, UTC; NULL: unset.
PRAGMA application_id = 0x4D535452;  -- "MSTR"

CREATE TABLE meta (
  key   TEXT NOT NULL PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- One row for each commit. hash covers prev_hash, this row, its events, its policy_use rows and
-- state_digest, which is the sum of the digests of all rows of the four state tables.
CREATE TABLE commit_log (
  seq            INTEGER PRIMARY KEY,
  time           INTEGER,
  cycle          INTEGER NOT NULL,  -- 0: outside cycles
  command        TEXT    NOT NULL,  -- the call of the engine that it stands for
  engine_version TEXT    NOT NULL,
  first_event    INTEGER NOT NULL,
  events         INTEGER NOT NULL,
  state_digest   INTEGER NOT NULL,
  prev_hash      BLOB    NOT NULL,
  hash           BLOB    NOT NULL
) STRICT;

CREATE TABLE event (
  seq         INTEGER PRIMARY KEY,
  commit_seq  INTEGER NOT NULL REFERENCES commit_log (seq),
  kind        TEXT    NOT NULL,
  subject     TEXT    NOT NULL,
  policy_hash TEXT,
  payload     TEXT    NOT NULL      -- compact canonical JSON
) STRICT;

CREATE TABLE policy_use (
  commit_seq INTEGER NOT NULL REFERENCES commit_log (seq),
  position   INTEGER NOT NULL,
  hash       TEXT    NOT NULL,
  calls      INTEGER NOT NULL,
  fuel       INTEGER NOT NULL,
  PRIMARY KEY (commit_seq, position)
) STRICT, WITHOUT ROWID;

-- Every policy package that was ever staged, whole: a replay needs the source, not only its hash.
CREATE TABLE policy (
  hash   TEXT    NOT NULL,
  path   TEXT    NOT NULL,
  bytes  BLOB    NOT NULL,
  digest INTEGER NOT NULL,
  PRIMARY KEY (hash, path)
) STRICT, WITHOUT ROWID;

CREATE TABLE workload (
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
  value         BLOB    NOT NULL,   -- the engine's own encoding
  digest        INTEGER NOT NULL,
  PRIMARY KEY (namespace, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE object (
  kind   TEXT    NOT NULL,
  name   TEXT    NOT NULL,          -- "name" or "namespace/name"
  value  BLOB    NOT NULL,
  digest INTEGER NOT NULL,
  PRIMARY KEY (kind, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE queue_state (
  key    TEXT    NOT NULL PRIMARY KEY,
  value  BLOB    NOT NULL,
  digest INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE engine_state (
  key    TEXT    NOT NULL PRIMARY KEY,
  value  BLOB    NOT NULL,
  digest INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The same for people: readable times, no blobs.
CREATE VIEW workloads AS
SELECT namespace, name, uid, local_queue, cluster_queue, phase, priority,
       strftime('%Y-%m-%dT%H:%M:%SZ', created / 1000000000, 'unixepoch') AS created,
       strftime('%Y-%m-%dT%H:%M:%SZ', reserved_at / 1000000000, 'unixepoch') AS reserved_at,
       strftime('%Y-%m-%dT%H:%M:%SZ', admitted_at / 1000000000, 'unixepoch') AS admitted_at,
       strftime('%Y-%m-%dT%H:%M:%SZ', finished_at / 1000000000, 'unixepoch') AS finished_at
FROM workload;

CREATE VIEW history AS
SELECT event.seq, commit_seq, command, cycle,
       strftime('%Y-%m-%dT%H:%M:%SZ', commit_log.time / 1000000000, 'unixepoch') AS time,
       kind, subject, policy_hash, payload
FROM event JOIN commit_log ON commit_log.seq = event.commit_seq;

PRAGMA user_version = 1;
