#include "db/hash_chain.h"

#include <sodium.h>

namespace muster {
namespace {

constexpr unsigned char kDigestKey[crypto_shorthash_KEYBYTES + 1] = "muster ledger v1";
static_assert(crypto_generichash_BYTES == sizeof(ChainHash));

std::uint64_t Digest(std::string_view bytes) {
  unsigned char out[crypto_shorthash_BYTES];
  crypto_shorthash(out, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(),
                   kDigestKey);
  std::uint64_t digest = 0;
  for (int i = 7; i >= 0; --i) digest = digest << 8 | out[i];
  return digest;
}

/// BLAKE2b of fields, a piece at a time: a commit of many jobs is tens of megabytes.
class ChainHasher {
 public:
  explicit ChainHasher(FieldBuffer* fields) : fields_(*fields) {
    fields_.Clear();
    crypto_generichash_init(&state_, nullptr, 0, sizeof(ChainHash));
  }
  void EndOfEvent() {
    if (fields_.bytes().size() >= kPiece) Take();
  }
  /// A field that may be long, from where it lies.
  void Text(std::string_view text) {
    fields_.Length(text);
    Take();
    Update(text);
  }
  ChainHash Finish() {
    Take();
    ChainHash hash;
    crypto_generichash_final(&state_, hash.data(), hash.size());
    return hash;
  }

 private:
  static constexpr std::size_t kPiece = std::size_t{1} << 16;

  void Take() {
    Update(fields_.bytes());
    fields_.Clear();
  }
  void Update(std::string_view bytes) {
    crypto_generichash_update(&state_, reinterpret_cast<const unsigned char*>(bytes.data()),
                              bytes.size());
  }

  FieldBuffer& fields_;
  crypto_generichash_state state_;
};

// First number of a digest's fields; the tables of current state have their own, from 0, and those
// of the base, from 102, in base.cc.
constexpr std::int64_t kPolicyFileTag = 100;
constexpr std::int64_t kMetaTag = 101;

}  // namespace

std::string_view Bytes(const ChainHash& hash) {
  return {reinterpret_cast<const char*>(hash.data()), hash.size()};
}

Status PrepareHashing() {
  if (sodium_init() >= 0) return Status::Ok();
  return {StatusCode::kInternal, "libsodium cannot be initialised"};
}

ChainHash HashCommit(const ChainHash& prev, const CommitHeader& header,
                     const std::vector<Event>& events, const std::vector<PolicyUse>& policies,
                     FieldBuffer* fields) {
  ChainHasher hasher(fields);
  fields->Text(Bytes(prev));
  fields->Number(header.seq);
  fields->Number(header.at);
  fields->Number(header.cycle);
  fields->Text(header.command);
  fields->Text(header.engine_version);
  fields->Number(header.first_event);
  fields->Number(header.events);
  fields->Number(static_cast<std::int64_t>(header.state_digest));
  if (header.input) hasher.Text(*header.input);
  for (const Event& event : events) {
    fields->Text(EventName(event.kind));
    fields->Text(event.subject);
    fields->Text(event.policy_hash);
    fields->Text(event.payload);
    hasher.EndOfEvent();
  }
  for (const PolicyUse& use : policies) {
    fields->Text(use.hash);
    fields->Number(use.calls);
    fields->Number(use.fuel);
  }
  return hasher.Finish();
}

std::uint64_t DigestOf(const FieldBuffer& fields) { return Digest(fields.bytes()); }

std::uint64_t DigestOf(const WorkloadRow& row, FieldBuffer* fields) {
  fields->Clear();
  fields->Number(static_cast<std::int64_t>(StateRow::Table::kWorkload));
  for (const std::string_view text :
       {row.ns, row.name, row.uid, row.local_queue, row.cluster_queue, row.phase}) {
    fields->Text(text);
  }
  for (const std::int64_t number :
       {row.priority, row.created, row.reserved_at, row.admitted_at, row.finished_at}) {
    fields->Number(number);
  }
  fields->Text(row.value);
  return Digest(fields->bytes());
}

std::uint64_t DigestOf(StateRow::Table table, std::string_view key, std::string_view value,
                       FieldBuffer* fields) {
  fields->Clear();
  fields->Number(static_cast<std::int64_t>(table));
  fields->Text(key);
  fields->Text(value);
  return Digest(fields->bytes());
}

std::uint64_t DigestOfPolicyFile(std::string_view hash, std::string_view path,
                                 std::string_view bytes, FieldBuffer* fields) {
  fields->Clear();
  fields->Number(kPolicyFileTag);
  for (const std::string_view text : {hash, path, bytes}) fields->Text(text);
  return Digest(fields->bytes());
}

std::uint64_t DigestOfMeta(std::string_view key, std::string_view value, FieldBuffer* fields) {
  fields->Clear();
  fields->Number(kMetaTag);
  for (const std::string_view text : {key, value}) fields->Text(text);
  return Digest(fields->bytes());
}

SplitKey SplitAtSlash(std::string_view key) {
  const std::size_t slash = key.find('/');
  if (slash == std::string_view::npos) return {};
  return {key.substr(0, slash), key.substr(slash + 1)};
}

}  // namespace muster
