// See subject_key.h. Numbers go in bit by bit, texts behind their length.
#include "engine/policy/subject_key.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace muster {
namespace {

struct NumberField {
  std::string_view name;
  double muster_workload::*value;
};
constexpr NumberField kNumbers[] = {
    {"priority", &muster_workload::priority},
    {"created", &muster_workload::created},
    {"queued_at", &muster_workload::queued_at},
    {"waited", &muster_workload::queued_at},
    {"pods", &muster_workload::pods},
    {"podsets", &muster_workload::podsets},
    {"gpus", &muster_workload::gpus},
    {"attempts", &muster_workload::attempts},
    {"preemptions", &muster_workload::preemptions},
    {"max_run", &muster_workload::max_run},
    {"last_admitted", &muster_workload::last_admitted},
};

struct TextField {
  std::string_view name;
  unsigned int muster_workload::*text;
};
constexpr TextField kTexts[] = {
    {"name", &muster_workload::name},
    {"namespace", &muster_workload::namespace_},
    {"local_queue", &muster_workload::local_queue},
    {"cluster_queue", &muster_workload::cluster_queue},
};

class KeyWriter {
 public:
  void Numbers(std::span<const double> values) {
    key_.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
  }
  void Text(const muster_string& text) {
    key_.append(reinterpret_cast<const char*>(&text.size), sizeof text.size);
    key_.append(text.data, text.size);
  }
  std::string Take() { return std::move(key_); }

 private:
  std::string key_;
};

}  // namespace

std::string SubjectKey(const muster_batch& batch, std::span<const std::string> named) {
  const muster_workload& row = *batch.subject;
  const auto is_named = [&](std::string_view name) {
    return std::find(named.begin(), named.end(), name) != named.end();
  };
  KeyWriter key;
  for (const auto& [name, value] : kNumbers) {
    if (is_named(name)) key.Numbers({&(row.*value), 1});
  }
  for (const auto& [name, text] : kTexts) {
    if (is_named(name)) key.Text(batch.strings[row.*text]);
  }
  if (is_named("account")) key.Numbers(row.account);
  if (is_named("request")) key.Numbers(row.request);
  if (is_named("label")) {
    for (const unsigned int label : row.label) key.Text(batch.strings[label]);
  }
  return key.Take();
}

}  // namespace muster
