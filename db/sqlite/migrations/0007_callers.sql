-- Ledger, version 7: no change of the tables. A call that a commit keeps may begin with the name of
-- its caller, behind the byte 0xff and up to a zero; an older Muster, which could not read it, does
-- not open the ledger. `history` has the name.
DROP VIEW IF EXISTS history;
CREATE VIEW history AS
SELECT event.seq, commit_seq, command, cycle,
       strftime('%Y-%m-%dT%H:%M:%SZ', commit_log.time / 1000000000, 'unixepoch') AS time,
       kind, subject, policy_hash, payload,
       CASE WHEN substr(input, 1, 1) = x'ff'
            THEN CAST(substr(input, 2, instr(input, x'00') - 2) AS TEXT) END AS caller
FROM event JOIN commit_log ON commit_log.seq = event.commit_seq;
PRAGMA user_version = 7;
