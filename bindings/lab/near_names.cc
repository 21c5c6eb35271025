// See near_names.h. The kind and the name are read from the message, which has one form.
#include "bindings/lab/near_names.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "bindings/lab/read.h"
#include "bindings/manifest/closest.h"
#include "engine/model/names.h"

namespace muster::lab {
namespace {

constexpr std::size_t kShortestName = 4;         ///< shorter ones have rules of their own
constexpr std::size_t kEdits = 2;                ///< letters that may differ in a longer name
constexpr std::size_t kTwoEditsFrom = 6;         ///< letters of a name that may have two of them
constexpr std::string_view kJobPrefix = "job-";  ///< a Job `x` is the workload `job-x`
constexpr std::size_t kShortPart = 2;            ///< letters of a part that differs on purpose

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsSeparator(char c) { return c == '-' || c == '.' || c == '_'; }

/// Whether a part of a name ends between `a` and `b`.
bool IsBoundary(char a, char b) {
  return IsSeparator(a) || IsSeparator(b) || IsDigit(a) != IsDigit(b);
}

/// Letters of the part of `name` that begins at `begin`.
std::size_t PartAt(std::string_view name, std::size_t begin) {
  std::size_t end = begin;
  while (end < name.size() && (end == begin || !IsBoundary(name[end - 1], name[end]))) ++end;
  return end - begin;
}

bool DifferOnPurpose(std::string_view a, std::string_view b) {
  const std::size_t shorter = std::min(a.size(), b.size());
  std::size_t begin = 0;
  while (begin < shorter && a[begin] == b[begin]) ++begin;
  std::size_t end = 0;
  while (end < shorter - begin && a[a.size() - 1 - end] == b[b.size() - 1 - end]) ++end;
  const auto in_number = [begin, end](std::string_view name) {
    const std::string_view differs = name.substr(begin, name.size() - begin - end);
    return std::all_of(differs.begin(), differs.end(), IsDigit);
  };
  if (in_number(a) && in_number(b)) return true;
  while (begin > 0 && !IsBoundary(a[begin - 1], a[begin])) --begin;
  const std::size_t part_a = PartAt(a, begin);
  const std::size_t part_b = PartAt(b, begin);
  const bool is_whole = part_a == a.size() || part_b == b.size();
  return !is_whole && part_a <= kShortPart && part_b <= kShortPart;
}

/// Names this short are near each other by chance, or differ on purpose as cpu and gpu do. Two
/// letters swapped, one typed twice or left out behind the first, or another case, look like a
/// slip.
bool IsSlip(std::string_view a, std::string_view b) {
  if (a.size() > b.size()) std::swap(a, b);
  if (a.size() < 2 || b.size() > a.size() + 1) return false;
  const std::size_t edits = manifest::EditDistance(a, b);
  if (edits != 1) return edits == 0;
  std::size_t same = 0;
  while (same < a.size() && a[same] == b[same]) ++same;
  if (a.size() == b.size()) {
    const bool swapped = a.substr(same + 1) != b.substr(same + 1);
    return swapped || (same > 0 && a.size() > 2 && !DifferOnPurpose(a, b));
  }
  const bool doubled = same > 0 && b[same] == b[same - 1];
  return doubled || (same > 0 && a.size() > 2 && !DifferOnPurpose(a, b));
}

struct Missing {
  ObjectKind kind{};
  Key key;
};

/// "there is no LocalQueue lab/red"
std::optional<Missing> ReadMessage(std::string_view what) {
  constexpr std::string_view kBegin = "there is no ";
  if (!what.starts_with(kBegin)) return std::nullopt;
  what.remove_prefix(kBegin.size());
  const std::size_t blank = what.find(' ');
  if (blank == std::string_view::npos) return std::nullopt;
  const auto kind = EnumFromName<ObjectKind>(what.substr(0, blank));
  if (!kind) return std::nullopt;
  const std::string_view name = what.substr(blank + 1);
  const std::size_t slash = name.find('/');
  if (slash == std::string_view::npos) return Missing{*kind, {"", std::string(name)}};
  return Missing{*kind, {std::string(name.substr(0, slash)), std::string(name.substr(slash + 1))}};
}

std::set<Key> KeysOf(ObjectKind kind, std::span<const Object> objects, const Engine& engine) {
  std::set<Key> keys;
  for (const Object& object : objects) {
    if (KindOf(object) == kind) keys.insert(KeyOf(object));
  }
  if (kind == ObjectKind::kClusterQueue) {
    for (const ClusterQueueView& queue : Read(engine.ClusterQueues()))
      keys.insert({"", queue.spec.name});
  } else if (kind == ObjectKind::kLocalQueue) {
    for (const LocalQueueView& queue : Read(engine.LocalQueues())) keys.insert(queue.spec.key);
  } else {
    for (const Object& object : Read(engine.Objects(kind))) keys.insert(KeyOf(object));
  }
  return keys;
}

/// What to write instead; empty when nothing is close.
std::string Cure(const Missing& missing, const std::set<Key>& keys) {
  std::vector<std::string_view> names;
  for (const Key& key : keys) {
    if (key.ns == missing.key.ns && LookAlike(key.name, missing.key.name)) {
      names.push_back(key.name);
    }
  }
  const std::string_view near = manifest::Closest(missing.key.name, names);
  if (!near.empty()) return "write " + std::string(near) + ", or apply it in the same call";
  for (const Key& key : keys) {
    if (key.name != missing.key.name || key.ns == missing.key.ns) continue;
    return "it is in namespace " + key.ns + ": write metadata.namespace: " + key.ns;
  }
  return "";
}

/// "; write red", or nothing.
std::string NearAmong(const std::set<Key>& keys, ObjectKind kind, const Key& key) {
  const std::string cure = Cure({kind, key}, keys);
  if (cure.empty()) return "";
  // The rest is about manifests.
  return "; " + cure.substr(0, std::min(cure.find(", or apply"), cure.find(": write metadata")));
}

}  // namespace

bool LookAlike(std::string_view a, std::string_view b) {
  const std::size_t shorter = std::min(a.size(), b.size());
  if (shorter < kShortestName) return IsSlip(a, b);
  const std::size_t edits = shorter < kTwoEditsFrom ? 1 : kEdits;
  if (std::max(a.size(), b.size()) - shorter > edits) return false;
  return manifest::EditDistance(a, b) <= edits && !DifferOnPurpose(a, b);
}

void ProposeNames(std::span<const Object> objects, const Engine& engine,
                  std::vector<Problem>* problems) {
  std::map<ObjectKind, std::set<Key>> keys;
  for (Problem& problem : *problems) {
    const std::optional<Missing> missing =
        problem.missing ? ReadMessage(problem.what) : std::nullopt;
    if (!missing) continue;
    const auto [known, is_new] = keys.try_emplace(missing->kind);
    if (is_new) known->second = KeysOf(missing->kind, objects, engine);
    if (std::string cure = Cure(*missing, known->second); !cure.empty()) {
      problem.cure = std::move(cure);
    }
  }
}

std::string NearName(const Engine& engine, ObjectKind kind, const Key& key) {
  return NearAmong(KeysOf(kind, {}, engine), kind, key);
}

std::string UnknownObject(const Engine& engine, ObjectKind kind, const Key& key,
                          const std::string& otherwise) {
  return UnknownObject(KeysOf(kind, {}, engine), kind, key, otherwise);
}

std::string UnknownObject(const std::set<Key>& keys, ObjectKind kind, const Key& key,
                          const std::string& otherwise) {
  const std::string near = NearAmong(keys, kind, key);
  return "there is no " + std::string(KindName(kind)) + " " +
         (key.ns.empty() ? key.name : key.ToString()) + (near.empty() ? "; " + otherwise : near);
}

std::string UnknownWorkload(const Engine& engine, const Key& key, std::string_view nothing) {
  std::set<Key> all;
  for (const WorkloadView& view : Read(engine.Workloads())) all.insert(view.spec.key);
  return UnknownWorkload(all, key, nothing);
}

std::string UnknownWorkload(const std::set<Key>& all, const Key& key, std::string_view nothing) {
  const std::string begin = "there is no workload '" + key.ToString() + "'; ";
  if (all.empty()) return begin + std::string(nothing);
  std::string elsewhere;
  std::vector<std::string_view> near;  // by the name that was meant: a Job's is shorter
  std::map<std::string_view, const Key*> whose;
  bool has_namespace = false;
  for (const Key& other : all) {
    const bool is_job = other.name.starts_with(kJobPrefix);
    const std::string_view job =
        is_job ? std::string_view(other.name).substr(kJobPrefix.size()) : other.name;
    if (other.ns == key.ns) has_namespace = true;
    for (const std::string_view name : {std::string_view(other.name), job}) {
      if (other.ns == key.ns && LookAlike(name, key.name)) {
        near.push_back(name);
        whose.emplace(name, &other);
      } else if (other.ns != key.ns && name == key.name && elsewhere.empty()) {
        elsewhere = other.ToString();
      }
    }
  }
  const std::string_view closest = manifest::Closest(key.name, near);
  if (!closest.empty()) return begin + "write \"" + whose.at(closest)->ToString() + "\"";
  if (!elsewhere.empty()) return begin + "there is \"" + elsewhere + "\"";
  if (!has_namespace) {
    return begin + "namespace " + key.ns + " has none; muster get workloads lists all";
  }
  return begin + "muster get workloads -n " + key.ns + " lists what there is";
}

}  // namespace muster::lab
