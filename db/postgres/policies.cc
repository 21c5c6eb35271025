#include "db/postgres/policies.h"

#include "db/hash_chain.h"
#include "db/postgres/schema.h"

namespace muster {

Status WritePolicy(PgConnection& connection, std::string_view shard, const StoredPolicy& policy) {
  FieldBuffer fields;
  for (const StoredPolicy::File& file : policy.files) {
    const std::uint64_t digest = DigestOfPolicyFile(policy.hash, file.path, file.bytes, &fields);
    const Result<PgRows> stored = connection.Run(
        "INSERT INTO muster_policy (shard, hash, path, bytes, digest) VALUES ($1, $2, $3, $4, "
        "$5) ON CONFLICT DO NOTHING",
        {shard, std::string_view(policy.hash), std::string_view(file.path), PgBytes{file.bytes},
         static_cast<std::int64_t>(digest)});
    if (!stored.ok()) return stored.status();
  }
  return Status::Ok();
}

Status MakeTables(PgConnection& connection) {
  // Two that make the tables at once disturb each other; the second finds them.
  if (connection.RunScript(kPgSchema).ok()) return Status::Ok();
  return connection.RunScript(kPgSchema);
}

}  // namespace muster
