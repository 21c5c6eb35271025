// The tables of a ledger in PostgreSQL, version 3. docs/decisions/0047-postgres.md says why
// these, 0055-stores-alike.md why the snapshots, 0062-callers.md what versions are,
// 0099-changes-go-ahead.md why some groups are in two tables.
#ifndef MUSTER_DB_POSTGRES_SCHEMA_H_
#define MUSTER_DB_POSTGRES_SCHEMA_H_

namespace muster {

/// Makes the tables, and brings older ones up to date: each change since version 1 is here as well.
/// May be run again, and by several at once where each tries again after a failure. What is up to
/// date is not locked.
inline constexpr const char* kPgSchema = R"sql(
CREATE TABLE IF NOT EXISTS muster_shard (
  id          text        PRIMARY KEY,
  version     bigint      NOT NULL,
  epoch       bigint      NOT NULL,  -- rises with each writer
  seq         bigint      NOT NULL,  -- the newest commit
  head_hash   bytea       NOT NULL,
  holder      text        NOT NULL,
  lease_until timestamptz NOT NULL,
  session     bigint      NOT NULL DEFAULT 0  -- process id of the server for it; 0: not known
) WITH (fillfactor = 50);
DO $$ BEGIN
  IF NOT EXISTS (SELECT 1 FROM pg_attribute WHERE attrelid = 'muster_shard'::regclass
                 AND attname = 'session') THEN
    ALTER TABLE muster_shard ADD COLUMN session bigint NOT NULL DEFAULT 0;
  END IF;
END $$;
CREATE TABLE IF NOT EXISTS muster_batch (
  shard text   NOT NULL,
  seq   bigint NOT NULL,  -- the newest commit in it
  epoch bigint NOT NULL,
  hash  bytea  NOT NULL,
  body  bytea  NOT NULL,
  PRIMARY KEY (shard, seq)
);
CREATE TABLE IF NOT EXISTS muster_body (  -- changes of a large group, of which that has the links
  shard text   NOT NULL,
  seq   bigint NOT NULL,
  epoch bigint NOT NULL,
  body  bytea  NOT NULL,
  PRIMARY KEY (shard, seq, epoch)
);
DO $$ DECLARE each text; BEGIN  -- where the server has it: it takes a third of the time
  FOREACH each IN ARRAY ARRAY['muster_batch', 'muster_body'] LOOP
    IF NOT EXISTS (SELECT 1 FROM pg_attribute a WHERE attrelid = each::regclass
                   AND attname = 'body' AND to_jsonb(a)->>'attcompression' = 'l') THEN
      EXECUTE 'ALTER TABLE ' || each || ' ALTER COLUMN body SET COMPRESSION lz4';
    END IF;
  END LOOP;
EXCEPTION WHEN feature_not_supported OR syntax_error OR insufficient_privilege THEN NULL;
END $$;
CREATE TABLE IF NOT EXISTS muster_snapshot (
  shard text   NOT NULL,
  seq   bigint NOT NULL,  -- the state after this commit
  part  bigint NOT NULL,
  parts bigint NOT NULL,
  kept  bigint NOT NULL,  -- 1: it is not dropped when newer ones come
  cycle bigint NOT NULL,  -- number of the newest one by then
  body  bytea  NOT NULL,
  PRIMARY KEY (shard, seq, part)
);
CREATE TABLE IF NOT EXISTS muster_base (
  shard  text   PRIMARY KEY,
  body   bytea  NOT NULL,
  digest bigint NOT NULL
);
CREATE TABLE IF NOT EXISTS muster_policy (
  shard  text   NOT NULL,
  hash   text   NOT NULL,
  path   text   NOT NULL,
  bytes  bytea  NOT NULL,
  digest bigint NOT NULL,
  PRIMARY KEY (shard, hash, path)
);
)sql";
/// Of what a ledger holds. 1: some of the tables above were not there yet. 2: a commit may name
/// its caller. 3: a group is links and changes, which may stand in muster_body.
inline constexpr long long kPgVersion = 3;

}  // namespace muster

#endif  // MUSTER_DB_POSTGRES_SCHEMA_H_
