// Rules about names, numbers and uniqueness.
#include "engine/validity/validate_rules.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "engine/base/amount.h"
#include "engine/base/ascii.h"
#include "engine/base/shown.h"
#include "engine/model/limits.h"

namespace muster {
namespace {

bool IsLower(char c) { return c >= 'a' && c <= 'z'; }
bool IsUpper(char c) { return c >= 'A' && c <= 'Z'; }
bool IsLowerOrDigit(char c) { return IsLower(c) || IsDigit(c); }

/// What a character may be part of, as bits.
enum Class : std::uint8_t { kLetter = 1, kDash = 2, kUnderscore = 4, kDot = 8 };

constexpr std::array<std::uint8_t, 256> kClasses = [] {
  std::array<std::uint8_t, 256> classes = {};
  for (const char c : std::string_view("abcdefghijklmnopqrstuvwxyz0123456789"
                                       "ABCDEFGHIJKLMNOPQRSTUVWXYZ")) {
    classes[static_cast<unsigned char>(c)] = kLetter;
  }
  classes['-'] = kDash;
  classes['_'] = kUnderscore;
  classes['.'] = kDot;
  return classes;
}();

std::uint8_t ClassOf(char c) { return kClasses[static_cast<unsigned char>(c)]; }

/// Letters and digits at both ends, those or characters of the `inner` classes between.
bool IsWord(std::string_view text, std::size_t max, unsigned inner) {
  if (text.empty() || text.size() > max) return false;
  if (ClassOf(text.front()) != kLetter || ClassOf(text.back()) != kLetter) return false;
  const unsigned allowed = inner | kLetter;
  return std::all_of(text.begin(), text.end(),
                     [allowed](char c) { return (ClassOf(c) & allowed) != 0; });
}

/// A part of a name between dots. Kubernetes knows small letters and '-' only; here the rest is
/// harmless, so the reader of manifests warns of it.
bool IsNamePart(std::string_view text, std::size_t max) {
  return IsWord(text, max, kDash | kUnderscore);
}

bool IsName(std::string_view text) {
  if (text.size() > kMaxNameLength) return false;
  while (true) {
    const std::size_t dot = text.find('.');
    if (!IsNamePart(text.substr(0, dot), kMaxNameLength)) return false;
    if (dot == std::string_view::npos) return true;
    text.remove_prefix(dot + 1);
  }
}

/// The domain in front of a label, taint or resource name.
bool IsDomain(std::string_view text) {
  return IsName(text) &&
         std::none_of(text.begin(), text.end(), [](char c) { return IsUpper(c) || c == '_'; });
}

bool IsQualifiedName(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash != std::string_view::npos) {
    if (!IsDomain(text.substr(0, slash))) return false;
    text.remove_prefix(slash + 1);
  }
  return IsWord(text, kMaxShortNameLength, kDash | kUnderscore | kDot);
}

/// The nearest legal name: lower case, other characters as '-'.
std::string SuggestName(std::string_view name, std::size_t max, std::string_view inner) {
  std::string text;
  for (const char c : name.substr(0, max)) {
    const char lower = IsUpper(c) ? static_cast<char>(c - 'A' + 'a') : c;
    const bool keep = IsLowerOrDigit(lower) || inner.find(lower) != std::string_view::npos;
    const bool begins = text.empty() || text.back() == '.';
    if (lower == '.') {  // each part between dots ends and begins with a letter or digit
      while (!text.empty() && !IsLowerOrDigit(text.back())) text.pop_back();
    } else if (begins && !IsLowerOrDigit(lower)) {
      continue;
    }
    text.push_back(keep ? lower : '-');
  }
  const auto is_edge = [](char c) { return IsLowerOrDigit(c); };
  const auto first = std::find_if(text.begin(), text.end(), is_edge);
  const auto last = std::find_if(text.rbegin(), text.rend(), is_edge).base();
  return first < last ? std::string(first, last) : std::string();
}

void AddBadName(const FieldPath& path, std::string_view name, std::size_t max,
                std::string_view inner, ProblemList& problems) {
  if (name.empty()) {
    problems.Add(path, "required", "give a name");
    return;
  }
  if (name.size() > max) {
    problems.Add(path, "name of " + std::to_string(name.size()) + " characters is too long",
                 "use at most " + std::to_string(max));
    return;
  }
  const std::string suggestion = SuggestName(name, max, inner);
  problems.Add(path,
               Quote(name) + " is not a name: only lower-case letters, digits" +
                   (inner == "-." ? ", '-' and '.'" : " and '-'") +
                   " are allowed, with a letter or digit at both ends",
               suggestion.empty() ? "" : "write " + Quote(suggestion));
}

}  // namespace

std::string Quote(std::string_view text) {
  std::string quoted = "\"";
  return quoted.append(Shown(text)).append("\"");
}

void CheckName(const FieldPath& path, std::string_view name, ProblemList& problems) {
  if (!IsName(name)) AddBadName(path, name, kMaxNameLength, "-.", problems);
}

void CheckOptionalName(const FieldPath& path, std::string_view name, ProblemList& problems) {
  if (!name.empty()) CheckName(path, name, problems);
}

void CheckShortName(const FieldPath& path, std::string_view name, ProblemList& problems) {
  if (!IsNamePart(name, kMaxShortNameLength))
    AddBadName(path, name, kMaxShortNameLength, "-", problems);
}

void CheckKey(const Key& key, ProblemList& problems) {
  const FieldPath metadata("metadata");
  CheckShortName(metadata.Child("namespace"), key.ns, problems);
  CheckName(metadata.Child("name"), key.name, problems);
}

void CheckQualifiedName(const FieldPath& path, std::string_view name, std::string_view noun,
                        ProblemList& problems) {
  if (IsQualifiedName(name)) return;
  if (name.empty()) {
    problems.Add(path, "required", "give a " + std::string(noun));
    return;
  }
  problems.Add(path, Quote(name) + " is not a " + std::string(noun),
               "write NAME or dns.domain/NAME with letters, digits, '-', '_' and '.', at most " +
                   std::to_string(kMaxShortNameLength) + " in NAME");
}

void CheckLabelValue(const FieldPath& path, std::string_view value, ProblemList& problems) {
  if (value.empty() || IsWord(value, kMaxShortNameLength, kDash | kUnderscore | kDot)) return;
  problems.Add(path, Quote(value) + " is not a label value",
               "write at most " + std::to_string(kMaxShortNameLength) +
                   " letters, digits, '-', '_' and '.', with a letter or digit at both ends");
}

void CheckLabels(const FieldPath& path, const LabelMap& labels, ProblemList& problems) {
  for (const auto& [key, value] : labels) {
    CheckQualifiedName(path.Entry(key), key, "label key", problems);
    CheckLabelValue(path.Entry(key), value, problems);
  }
}

void CheckSize(const FieldPath& path, std::size_t size, std::size_t max, ProblemList& problems) {
  if (size <= max) return;
  problems.Add(path, std::to_string(size) + " entries are too many",
               "keep at most " + std::to_string(max));
}

void CheckNotEmpty(const FieldPath& path, std::size_t size, ProblemList& problems) {
  if (size == 0) problems.Add(path, "required", "give at least one entry");
}

void CheckAtLeast(const FieldPath& path, std::int64_t value, std::int64_t min,
                  ProblemList& problems) {
  if (value >= min) return;
  problems.Add(path, std::to_string(value) + " is too small",
               "write " + std::to_string(min) + " or more");
}

void CheckNotNegative(const FieldPath& path, Quantity quantity, ProblemList& problems) {
  if (quantity.IsNegative()) {
    problems.Add(path, quantity.ToString() + " is negative", "write 0 or more");
  }
}

/// Kubernetes counts pods and devices in whole ones. What has no domain, "cpu" and "memory" and
/// what a site made up, may be divided.
void CheckWhole(const FieldPath& path, std::string_view resource, Quantity quantity,
                ProblemList& problems) {
  const bool extended = resource.find('/') != std::string_view::npos &&
                        resource.find("kubernetes.io/") == std::string_view::npos;
  if (!extended && resource != "pods") return;
  const Quantity above = QuantityOf(resource, quantity.ToAmount(resource));
  if (above == quantity || quantity.IsNegative()) return;
  const Quantity below = above - Quantity::Units(1);
  problems.Add(
      path, quantity.ToString() + " is not a whole number: " + Quote(resource) + " is not divided",
      "write " + (below.IsZero() ? "" : below.ToString() + " or ") + above.ToString());
}

void CheckResources(const FieldPath& path, const ResourceList& resources, ProblemList& problems) {
  for (const auto& [name, quantity] : resources) {
    CheckQualifiedName(path.Entry(name), name, "resource name", problems);
    CheckNotNegative(path.Entry(name), quantity, problems);
    CheckWhole(path.Entry(name), name, quantity, problems);
  }
}

void CheckWeight(const FieldPath& path, double weight, ProblemList& problems) {
  if (!std::isfinite(weight) || weight < 0) {
    problems.Add(path, "a weight must be a number that is not negative",
                 "write 0 or more; 1 is the default");
  } else if (weight > 0 && weight <= kMinFairWeight) {
    problems.Add(path, "a weight above 0 must exceed 1e-9", "write 0, or more than 1e-9");
  }
}

void UniqueNames::Check(const FieldPath& path, std::string_view name, ProblemList& problems) {
  if (!seen_.insert(name).second) {
    problems.Add(path, Quote(name) + " is listed twice", "remove one of the two");
  }
}

void CheckUnique(const FieldPath& list, std::span<const std::string> names, ProblemList& problems) {
  UniqueNames unique;
  for (std::size_t i = 0; i < names.size(); ++i) unique.Check(list.At(i), names[i], problems);
}

}  // namespace muster
