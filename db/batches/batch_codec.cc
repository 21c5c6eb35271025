// One visited list of fields serves both directions.
#include "db/batches/batch_codec.h"

#include <optional>
#include <type_traits>

#include "engine/codec/byte_reader.h"
#include "engine/codec/byte_writer.h"
#include "engine/model/names.h"

namespace muster {
namespace {

constexpr std::uint8_t kPlain = 0;  ///< a group, of version 2 and before: a commit with its links
constexpr std::uint8_t kLinks = 1;
constexpr std::uint8_t kLinksAndChanges = 2;

class Put {
 public:
  static constexpr bool kReads = false;
  /// By its name: numbers of enums may change.
  template <typename Enum>
  void Named(Enum value) {
    bytes_("", EnumName(value));
  }
  explicit Put(ByteWriter& bytes) : bytes_(bytes) {}
  template <typename T>
  void operator()(const T& value) {
    bytes_("", value);
  }
  void Hash(const ChainHash& hash) { bytes_("", std::string(Bytes(hash))); }
  template <typename Listed, typename Each>
  void List(const Listed& list, const Each& each) {
    bytes_("", static_cast<std::int64_t>(list.size()));
    for (const auto& element : list) each(element);
  }

 private:
  ByteWriter& bytes_;
};

class Take {
 public:
  static constexpr bool kReads = true;
  template <typename Enum>
  void Named(Enum& value) {
    std::string name;
    bytes_("", name);
    const std::optional<Enum> read = EnumFromName<Enum>(name);
    ok_ = ok_ && read.has_value();
    if (read) value = *read;
  }
  explicit Take(ByteReader& bytes) : bytes_(bytes) {}
  template <typename T>
  void operator()(T& value) {
    bytes_("", value);
  }
  void Hash(ChainHash& hash) {
    std::string bytes;
    bytes_("", bytes);
    const std::optional<ChainHash> read = HashFrom(bytes);
    ok_ = ok_ && read.has_value();
    if (read) hash = *read;
  }
  template <typename T, typename Each>
  void List(std::vector<T>& list, const Each& each) {
    std::int64_t size = 0;
    bytes_("", size);
    for (std::int64_t i = 0; i < size && bytes_.ok(); ++i) each(list.emplace_back());
  }
  bool ok() const { return ok_ && bytes_.ok(); }

 private:
  ByteReader& bytes_;
  bool ok_ = true;
};

/// A number that the encoding has in another type.
template <typename Visitor, typename Value>
void Number(Visitor& visitor, Value& value) {
  using Plain = std::remove_const_t<Value>;
  auto number = static_cast<std::int64_t>(value);
  visitor(number);
  if constexpr (Visitor::kReads) value = static_cast<Plain>(number);
}

template <typename Visitor, typename AnEvent>
void VisitEvent(Visitor& visitor, AnEvent& event) {
  visitor.Named(event.kind);
  visitor(event.subject);
  visitor(event.payload);
  visitor(event.policy_hash);
}

template <typename Visitor, typename Summary>
void VisitSummary(Visitor& visitor, Summary& summary) {
  visitor(summary.uid);
  visitor(summary.local_queue);
  visitor(summary.cluster_queue);
  visitor.Named(summary.phase);
  visitor(summary.priority);
  visitor(summary.created);
  visitor(summary.reserved_at);
  visitor(summary.admitted_at);
  visitor(summary.finished_at);
}

template <typename Visitor, typename Row>
void VisitRow(Visitor& visitor, Row& row) {
  Number(visitor, row.table);
  visitor(row.key);
  visitor(row.value);
  bool has_summary = row.workload.has_value();
  visitor(has_summary);
  if constexpr (Visitor::kReads) {
    if (has_summary) row.workload.emplace();
  }
  if (row.workload) VisitSummary(visitor, *row.workload);
}

template <typename Visitor, typename Record>
void VisitRecord(Visitor& visitor, Record& record) {
  visitor(record.seq);
  visitor(record.command);
  visitor(record.input);
  visitor(record.at);
  visitor(record.cycle);
  visitor(record.engine_version);
  visitor(record.first_event);
  visitor.List(record.events, [&](auto& event) { VisitEvent(visitor, event); });
  visitor.List(record.policies, [&](auto& use) {
    visitor(use.hash);
    visitor(use.calls);
    visitor(use.fuel);
  });
}

template <typename Visitor, typename Commit>
void VisitLink(Visitor& visitor, Commit& commit) {
  Number(visitor, commit.stored.state_digest);
  visitor.Hash(commit.stored.hash);
}

template <typename Visitor, typename Commit>
void VisitChanges(Visitor& visitor, Commit& commit) {
  VisitRecord(visitor, commit.stored.record);
  visitor.List(commit.rows, [&](auto& row) { VisitRow(visitor, row); });
}

/// As version 2 has it.
void VisitPlain(Take& take, BatchCommit& commit) {
  VisitRecord(take, commit.stored.record);
  Number(take, commit.stored.state_digest);
  take.Hash(commit.stored.prev);
  take.Hash(commit.stored.hash);
  take.List(commit.rows, [&](StateRow& row) { VisitRow(take, row); });
}

template <typename Visitor, typename Base>
void VisitBase(Visitor& visitor, Base& base) {
  visitor(base.base.first);
  visitor(base.base.state_at);
  visitor(base.rows_from);
  visitor.List(base.carried, [&](auto& carried) {
    visitor(carried.seq);
    visitor(carried.commit);
    visitor(carried.at);
    VisitEvent(visitor, carried.event);
  });
}

constexpr std::size_t kBesideTexts = 160;  ///< more than most have
constexpr std::size_t kLinkBytes = 48;

/// About the bytes that they take, rather more than less.
std::size_t SizeOf(std::span<const StateRow> rows) {
  std::size_t size = 0;
  for (const StateRow& row : rows) {
    size += kBesideTexts + row.key.size() + (row.value ? row.value->size() : 0);
  }
  return size;
}
std::size_t SizeOf(const BatchCommit& commit) {
  const CommitRecord& record = commit.stored.record;
  std::size_t size =
      2 * kBesideTexts + SizeOf(commit.rows) + (record.input ? record.input->size() : 0);
  for (const Event& event : record.events) {
    size += kBesideTexts + event.subject.size() + event.payload.size();
  }
  return size;
}

template <typename Visit>
std::string Encoded(std::size_t size, const Visit& visit) {
  ByteWriter bytes;
  bytes.Reserve(size);
  bytes.Byte(kPlain);
  Put put(bytes);
  visit(put);
  return bytes.Take();
}

template <typename Value, typename Visit>
Result<Value> Decoded(std::string_view body, const char* what, const Visit& visit) {
  ByteReader bytes(body);
  Value value;
  const bool known = bytes.Byte() == kPlain;
  Take take(bytes);
  if (known) visit(take, value);
  if (known && take.ok() && bytes.AtEnd()) return value;
  return Status(StatusCode::kDataLoss, std::string(what) + " cannot be read");
}

}  // namespace

std::size_t SizeOf(const std::vector<BatchCommit>& commits) {
  std::size_t size = 0;
  for (const BatchCommit& commit : commits) size += SizeOf(commit);
  return size;
}

std::string EncodeLinks(const std::vector<BatchCommit>& commits) {
  ByteWriter bytes;
  bytes.Reserve(kLinkBytes * (1 + commits.size()));
  bytes.Byte(kLinks);
  Put put(bytes);
  put.Hash(commits.front().stored.prev);
  put.List(commits, [&](const BatchCommit& commit) { VisitLink(put, commit); });
  return bytes.Take();
}

std::string EncodeChanges(const std::vector<BatchCommit>& commits) {
  ByteWriter bytes;
  bytes.Reserve(SizeOf(commits));
  Put put(bytes);
  put.List(commits, [&](const BatchCommit& commit) { VisitChanges(put, commit); });
  return bytes.Take();
}

std::string JoinedBatch(std::string_view links, std::string_view changes) {
  std::string body;
  body.reserve(links.size() + changes.size());
  body += static_cast<char>(kLinksAndChanges);
  body += links.substr(1);
  return body += changes;
}

std::string EncodeBatch(const std::vector<BatchCommit>& commits) {
  return JoinedBatch(EncodeLinks(commits), EncodeChanges(commits));
}

Result<std::vector<BatchCommit>> DecodeBatch(std::string_view body, std::string_view changes) {
  if (!body.empty() && body.front() == kLinks) return DecodeBatch(JoinedBatch(body, changes), {});
  const Status unreadable(StatusCode::kDataLoss, "a group of commits cannot be read");
  ByteReader bytes(body);
  Take take(bytes);
  std::vector<BatchCommit> commits;
  const std::uint8_t kind = bytes.Byte();
  if (kind == kPlain) {
    take.List(commits, [&](BatchCommit& commit) { VisitPlain(take, commit); });
  } else if (kind == kLinksAndChanges) {
    std::vector<BatchCommit> links;
    ChainHash prev{};
    take.Hash(prev);
    take.List(links, [&](BatchCommit& commit) { VisitLink(take, commit); });
    take.List(commits, [&](BatchCommit& commit) { VisitChanges(take, commit); });
    if (links.size() != commits.size()) return unreadable;
    for (std::size_t i = 0; i < links.size(); ++i) {
      commits[i].stored.state_digest = links[i].stored.state_digest;
      commits[i].stored.prev = prev;
      commits[i].stored.hash = prev = links[i].stored.hash;
    }
  } else {
    return unreadable;
  }
  if (!take.ok() || !bytes.AtEnd()) return unreadable;
  return commits;
}

std::string EncodeRows(std::span<const StateRow> rows) {
  return Encoded(SizeOf(rows), [&](Put& put) {
    put.List(rows, [&](const StateRow& row) { VisitRow(put, row); });
  });
}

Result<std::vector<StateRow>> DecodeRows(std::string_view body) {
  using Rows = std::vector<StateRow>;
  return Decoded<Rows>(body, "a part of a state", [](Take& take, Rows& rows) {
    take.List(rows, [&](StateRow& row) { VisitRow(take, row); });
  });
}

std::string EncodeBase(const PgBase& base) {
  return Encoded(0, [&](Put& put) { VisitBase(put, base); });
}

Result<PgBase> DecodeBase(std::string_view body) {
  return Decoded<PgBase>(body, "where the history begins",
                         [](Take& take, PgBase& base) { VisitBase(take, base); });
}

}  // namespace muster
