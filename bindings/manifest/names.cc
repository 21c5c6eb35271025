// RFC 1123 names: tests and repairs.
#include "bindings/manifest/names.h"

#include <algorithm>
#include <cstddef>

#include "engine/model/limits.h"

namespace muster::manifest {
namespace {

constexpr std::size_t kMaxReasonLength = 1024;  // of a condition in Kubernetes

bool IsAlnum(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

/// A DNS label without its limit of 63 characters.
bool IsLabelShaped(std::string_view text) {
  return !text.empty() && IsAlnum(text.front()) && IsAlnum(text.back()) &&
         std::all_of(text.begin(), text.end(), [](char c) { return IsAlnum(c) || c == '-'; });
}

/// The name as it would be with small letters, and '-' for '_'.
std::string Tightened(std::string_view name) {
  std::string tight(name);
  for (char& c : tight) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (c == '_') c = '-';
  }
  return tight;
}

}  // namespace

bool IsDnsLabel(std::string_view name) {
  return name.size() <= kMaxShortNameLength && IsLabelShaped(name);
}

bool IsDnsSubdomain(std::string_view name) {
  if (name.size() > kMaxNameLength) return false;
  while (true) {
    const std::size_t dot = name.find('.');
    if (!IsLabelShaped(name.substr(0, dot))) return false;
    if (dot == std::string_view::npos) return true;
    name.remove_prefix(dot + 1);
  }
}

bool IsLooseName(std::string_view name, bool dots) {
  const std::string tight = Tightened(name);
  return dots ? IsDnsSubdomain(tight) : IsDnsLabel(tight);
}

std::string ProposeDnsName(std::string_view name, bool dots) {
  std::string repaired;
  for (const char c : Tightened(name)) {
    if (IsAlnum(c)) {
      repaired.push_back(c);
    } else if (!repaired.empty() && IsAlnum(repaired.back())) {
      repaired.push_back(dots && c == '.' ? '.' : '-');
    }
  }
  repaired.resize(std::min(repaired.size(), dots ? kMaxNameLength : kMaxShortNameLength));
  while (!repaired.empty() && !IsAlnum(repaired.back())) repaired.pop_back();
  return repaired;
}

bool IsLabelValue(std::string_view text) {
  const auto is_word = [](char c) { return IsAlnum(c) || (c >= 'A' && c <= 'Z'); };
  return text.empty() ||
         (text.size() <= kMaxShortNameLength && is_word(text.front()) && is_word(text.back()) &&
          std::all_of(text.begin(), text.end(),
                      [&](char c) { return is_word(c) || c == '-' || c == '_' || c == '.'; }));
}

bool IsReason(std::string_view text) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  return !text.empty() && text.size() <= kMaxReasonLength && is_letter(text.front()) &&
         std::all_of(text.begin(), text.end(),
                     [&](char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '_'; });
}

}  // namespace muster::manifest
